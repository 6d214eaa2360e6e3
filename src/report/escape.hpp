// Makes hostile text harmless for HTML, JSON inside a script element, and terminals.
//
// All three functions accept any bytes: what is not UTF-8 appears as U+FFFD. Characters with an effect
// (controls, direction overrides) appear as visible replacements, so that a text can neither leave its place
// nor look like another one.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// Appends `text` so that it is safe as element content and inside a quoted attribute value. & < > " ' become
/// references; line ends become line feeds; controls become their Control Pictures; direction controls become
/// "[U+202E]" and the like.
void append_html_escaped(std::string_view text, std::string& out);

/// Appends `text` as a JSON string with quotes that is safe inside <script>: "<", ">", "&", U+2028 and U+2029
/// are escaped, so neither "</script>" nor "<!--" can occur. The string's value is `text` itself (controls
/// and direction controls as escapes).
void append_json_in_script(std::string_view text, std::string& out);

/// Appends `text` so that a terminal only shows it: no escape sequence, control or direction control remains.
/// Line feeds and tabs stay.
void append_terminal_safe(std::string_view text, std::string& out);

}  // namespace leitong
