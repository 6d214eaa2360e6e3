// A text of an index as a JSON object.
#pragma once

#include <nlohmann/json.hpp>

#include "leitong/online.hpp"

namespace leitong::cli {

/// Everything except the text itself.
[[nodiscard]] nlohmann::ordered_json stored_json(const online::Stored& stored);

}  // namespace leitong::cli
