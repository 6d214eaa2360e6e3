// Text as a JSON string: the one writer for output that is written row by row.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// Appends `text` in quotes. Any bytes: what isn't UTF-8 becomes U+FFFD, controls are escaped, all else stays
/// as it is.
void append_json_string(std::string_view text, std::string& out);
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace leitong
