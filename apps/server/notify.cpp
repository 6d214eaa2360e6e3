#include "notify.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "base/system.hpp"

namespace leitong::server {

void notify_supervisor(std::string_view state) {
  const char* const path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un to{};
  if (path == nullptr || path[0] == 0 || std::strlen(path) >= sizeof to.sun_path) return;
  to.sun_family = AF_UNIX;
  std::memcpy(to.sun_path, path, std::strlen(path));  // the rest is zero
  if (path[0] == '@') to.sun_path[0] = 0;             // an abstract socket
  const int socket = system::open_local_datagrams();
  if (socket < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(path));
  // If the supervisor does not listen, nothing is lost.
  [[maybe_unused]] const ssize_t sent = ::sendto(socket, state.data(), state.size(), MSG_NOSIGNAL,
                                                 reinterpret_cast<const sockaddr*>(&to), size);
  ::close(socket);
}

}  // namespace leitong::server
