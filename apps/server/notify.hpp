// systemd's protocol for services: one datagram says how the server is.
#pragma once

#include <string_view>

namespace leitong::server {

/// "READY=1", "STOPPING=1", .. to the socket that $NOTIFY_SOCKET names; nothing without it.
void notify_supervisor(std::string_view state);

}  // namespace leitong::server
