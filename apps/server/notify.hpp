// systemd's protocol for services: one datagram reports the server's state.
#pragma once

#include <string_view>

namespace leitong::server {

/// Sends "READY=1", "STOPPING=1", .. to the socket in $NOTIFY_SOCKET; does nothing without it.
void notify_supervisor(std::string_view state);

}  // namespace leitong::server
