// The system's error about a file.
#pragma once

#include <string>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong {

/// "PATH: can't be WHAT: why", by the system's error number: not_found, io, or limit if no more files can be
/// opened (which says nothing about this file), with advice.
[[nodiscard]] Error system_refused(const std::string& path, std::string_view what, int error);

}  // namespace leitong
