// Texts as JSON strings (RFC 8259, section 7), for JSON that is written piece by piece.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace leitong {

/// Appends `text` in quotes. Any bytes are accepted: what is not UTF-8 becomes U+FFFD (one for each maximal
/// subpart of a code point), control characters, quotes and backslashes are escaped, and the rest is
/// unchanged. O(size).
void append_json_string(std::string_view text, std::string& out);
[[nodiscard]] std::string json_string(std::string_view text);

/// The most bytes that write_json_string() writes for a text of `bytes` bytes.
[[nodiscard]] constexpr std::size_t most_json_bytes(std::size_t bytes) noexcept { return 6 * bytes + 2; }
/// Writes a text that is known to be UTF-8 in quotes to `to`. Returns the end of what it wrote. REQUIRES room
/// for most_json_bytes().
[[nodiscard]] char* write_json_string(char* to, std::string_view utf8);

}  // namespace leitong
