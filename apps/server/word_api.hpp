// Two texts compared, as every operation that compares answers it.
#pragma once

#include <string>
#include <string_view>

#include "problem.hpp"

namespace leitong::server {

/// compare() as one JSON object.
[[nodiscard]] Outcome<std::string> compared_json(std::string_view a, std::string_view b);

}  // namespace leitong::server
