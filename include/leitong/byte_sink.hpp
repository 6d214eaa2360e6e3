// Where the library writes to when a caller saves something.
#pragma once

#include <functional>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong {

/// Takes a file's next bytes; a failure ends the writing and is returned from it.
using ByteSink = std::function<Result<void>(std::string_view)>;

}  // namespace leitong
