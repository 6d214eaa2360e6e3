// The readable text of an HTML page.
#pragma once

#include <string>
#include <string_view>

#include "leitong/input.hpp"

namespace leitong {

/// What a reader of the page sees, title included: no tags, scripts, styles, templates or comments; entities
/// replaced; white space run together, except in `pre`; a line feed between blocks (paragraphs, headings,
/// cells, items). `html` is UTF-8, which holds whatever the page itself says. Linear; memory is the result's.
/// Returns what is wrong, or an empty string.
[[nodiscard]] std::string html_to_text(std::string_view html, std::string& text,
                                       HtmlPart part = HtmlPart::all);

/// The charset that a page declares in its first 1024 bytes (`<meta charset=..>`, `content="text/html;
/// charset=.."`, or an XML declaration), or nothing.
[[nodiscard]] std::string_view declared_charset(std::string_view html);

}  // namespace leitong
