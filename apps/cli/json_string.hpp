// Text as a JSON string.
#pragma once

#include <string>
#include <string_view>

namespace leitong::cli {

/// Appends it in quotes. REQUIRES: valid UTF-8, which stays as it is.
void append_json_string(std::string_view text, std::string& out);

}  // namespace leitong::cli
