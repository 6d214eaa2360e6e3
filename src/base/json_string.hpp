// Writes text as a JSON string, for output that is written row by row.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// Appends `text` in quotes. Accepts any bytes: what is not UTF-8 becomes U+FFFD, control characters are
/// escaped, the rest is unchanged.
void append_json_string(std::string_view text, std::string& out);
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace leitong
