// Hostile text made harmless for the places it is shown in: HTML, JSON inside a script element, a terminal.
//
// All three take any bytes: what isn't UTF-8 appears as U+FFFD. Characters that act instead of being seen
// (controls, direction overrides) appear as visible stand-ins, so that a text can neither leave its place nor
// pass for another one.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// Appends `text` so that it is safe as element content and inside a quoted attribute value. & < > " ' become
/// references; line ends become line feeds; controls become their Control Pictures; direction controls become
/// "[U+202E]" and the like.
void append_html_escaped(std::string_view text, std::string& out);

/// Appends `text` as a JSON string, quotes included, that is safe inside <script>: no "<", ">", "&", U+2028
/// or U+2029 remains raw, so neither "</script>" nor "<!--" can come about. The string's value is `text`
/// itself (controls and direction controls as escapes).
void append_json_in_script(std::string_view text, std::string& out);

/// Appends `text` so that a terminal shows it and obeys nothing in it: no escape sequence, control or
/// direction control gets through. Line feeds and tabs stay.
void append_terminal_safe(std::string_view text, std::string& out);

}  // namespace leitong
