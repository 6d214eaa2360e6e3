#include "io/system_error.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>

namespace leitong {

Error system_refused(const std::string& path, std::string_view what, int error) {
  ErrorCode code = ErrorCode::io;
  std::string why = std::strerror(error);
  if (error == ENOENT || error == ENOTDIR) {
    code = ErrorCode::not_found;
  } else if (error == EMFILE) {
    code = ErrorCode::limit;
    why = "this process has as many files open as it may; raise the limit (ulimit -n) or use fewer threads";
  } else if (error == ENFILE) {
    code = ErrorCode::limit;
    why = "the system has as many files open as it may; close some or raise its limit (fs.file-max)";
  }
  return {code, fmt::format("{}: can't be {}: {}", path == "-" ? "standard input" : path, what, why)};
}

}  // namespace leitong
