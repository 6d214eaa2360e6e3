// The sink to which the library writes when a caller saves something.
#pragma once

#include <functional>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong {

/// Takes the next bytes of a file. A failure ends the writing and is returned.
using ByteSink = std::function<Result<void>(std::string_view)>;

}  // namespace leitong
