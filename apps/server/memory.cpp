#include "memory.hpp"

#include <fmt/core.h>

namespace leitong::server {

Outcome<void> MemoryShare::hold(std::size_t& part, std::size_t bytes) {
  if (bytes <= part) {
    account_.used_ -= part - bytes;
    part = bytes;
    return {};
  }
  const std::size_t more = bytes - part;
  const std::uint64_t most = account_.most_;
  if (body_ + answer_ + more > most)
    return problem(
        413, fmt::format("the request and its answer take more than {} bytes (limits.memory); ask for less "
                         "at once",
                         most));
  if (account_.used_.fetch_add(more) + more > most) {
    account_.used_ -= more;
    return problem(503, "the server is at work on as much as its memory allows; try again", 1);
  }
  part = bytes;
  return {};
}

}  // namespace leitong::server
