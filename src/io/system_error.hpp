// What the system said about a file, as an error.
#pragma once

#include <string>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong {

/// "PATH: can't be WHAT: why", by the system's error number: not_found, or io, or limit where no more files
/// may be open, with what to do about it: that says nothing of the file at hand.
[[nodiscard]] Error system_refused(const std::string& path, std::string_view what, int error);

}  // namespace leitong
