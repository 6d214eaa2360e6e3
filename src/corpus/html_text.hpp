// The readable text of an HTML page.
#pragma once

#include <string>
#include <string_view>

#include "leitong/input.hpp"

namespace leitong {

/// The visible text of the page, title included: without tags, scripts, styles, templates and comments; with
/// entities replaced, white space collapsed except in `pre`, and a line feed between blocks (paragraphs,
/// headings, cells, items). `html` is UTF-8, whatever the page declares. Linear; the memory is that of the
/// result. Returns what is wrong, or an empty string.
[[nodiscard]] std::string html_to_text(std::string_view html, std::string& text,
                                       HtmlPart part = HtmlPart::all);

/// The charset that a page declares in its first 1024 bytes (`<meta charset=..>`, `content="text/html;
/// charset=.."`, or an XML declaration), or nothing.
[[nodiscard]] std::string_view declared_charset(std::string_view html);

}  // namespace leitong
