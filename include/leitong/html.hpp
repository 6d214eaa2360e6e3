// The text of an HTML page.
#pragma once

#include <string>
#include <string_view>

#include "leitong/input.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The text of one page, as the readers of files take it: no tags, scripts, styles or comments; entities
/// replaced; white space run together, except in `pre`; a line feed between blocks. `page` is UTF-8, whatever
/// charset it declares. Fails with corrupt for bytes that are not UTF-8, and for a page that nests too
/// deeply. Linear in the page.
[[nodiscard]] Result<std::string> html_text(std::string_view page, HtmlPart part = HtmlPart::all);

}  // namespace leitong
