// The comparison of two texts, as all operations return it.
#pragma once

#include <string>
#include <string_view>

#include "problem.hpp"

namespace leitong::server {

/// compare() as one JSON object.
[[nodiscard]] Outcome<std::string> compared_json(std::string_view a, std::string_view b);

}  // namespace leitong::server
