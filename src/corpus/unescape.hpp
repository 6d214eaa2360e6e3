// Replaces the escapes of JSON strings and the references of XML.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// Replaces the escapes in the inside of a JSON string (RFC 8259, section 7). Returns what is wrong, or null.
/// Overwrites `out`.
[[nodiscard]] const char* unescape_json(std::string_view inside, std::string& out);

/// Replaces the five entities of XML and references by number. What is no such reference stays as it is.
/// Returns `raw` itself if it has none, else `buffer`.
[[nodiscard]] std::string_view unescape_xml(std::string_view raw, std::string& buffer);

}  // namespace leitong
