// Separates the content of a page from its chrome.
#pragma once

#include <string>

#include "corpus/html_blocks.hpp"

namespace leitong {

/// Replaces `text` by the page's main content: the title, and the blocks that menus, footers, link lists and
/// cookie notices are not. What decides, in this order:
///   1. If `main`, `article` or role=main hold a quarter of the text, what lies outside of them is chrome,
///      but for the title, and lists of links within are content.
///   2. Regions that are chrome by element, role or class (nav, footer, menu, breadcrumb, cookie ..), unless
///      a region holds much of the page's prose: then it is a wrapper that is misnamed.
///   3. Blocks of which half or more is link text are lists of links, unless content stands on both sides;
///      the little that stands between dropped blocks goes with them (Kohlschütter et al. 2010: text and
///      link density).
///   4. A heading stays where something after it, before the next heading of its rank, stays.
/// A page whose prose would nearly all vanish is kept whole. Linear.
void main_text(const HtmlBlocks& page, std::string& text);

}  // namespace leitong
