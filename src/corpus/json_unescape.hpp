// What a JSON string says.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// Replaces the escapes of a JSON string's inside (RFC 8259, section 7). Returns what is wrong, or null.
/// `out` is overwritten.
[[nodiscard]] const char* unescape_json(std::string_view inside, std::string& out);

}  // namespace leitong
