// An answer of an online index as JSON.
#pragma once

#include <string>
#include <string_view>

#include "leitong/online.hpp"

namespace leitong::cli {

/// One object without a line feed (docs/format.md).
[[nodiscard]] std::string answer_json(std::string_view id, const online::Answer& answer);

}  // namespace leitong::cli
