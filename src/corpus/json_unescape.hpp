// Replaces the escapes of JSON strings.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// Replaces the escapes in the inside of a JSON string (RFC 8259, section 7). Returns what is wrong, or null.
/// Overwrites `out`.
[[nodiscard]] const char* unescape_json(std::string_view inside, std::string& out);

}  // namespace leitong
