// The text of an HTML page.
#pragma once

#include <string>
#include <string_view>

#include "leitong/input.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The text of one page, as the readers of files take it: without tags, scripts, styles and comments; with
/// entities replaced, white space collapsed except in `pre`, and a line feed between blocks. `page` is UTF-8,
/// whatever charset it declares. Fails with corrupt for bytes that are not UTF-8 and for a page with too many
/// nested elements. Linear in the page.
[[nodiscard]] Result<std::string> html_text(std::string_view page, HtmlPart part = HtmlPart::all);

}  // namespace leitong
