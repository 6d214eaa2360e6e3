// Separates the content of a page from its chrome.
#pragma once

#include <string>

#include "corpus/html_blocks.hpp"

namespace leitong {

/// Replaces `text` by the page's main content: the title and the blocks that are no menus, footers, link
/// lists or cookie notices. Decides in this order:
///   1. If `main`, `article` or role=main hold a quarter of the text, everything outside of them is chrome,
///      except the title, and lists of links within them are content.
///   2. Regions that are chrome by element, role or class (nav, footer, menu, breadcrumb, cookie ..), unless
///      a region holds much of the page's prose: then it is a wrapper with a wrong name.
///   3. Blocks with at least half link text are lists of links, unless content stands on both sides; short
///      blocks between dropped blocks are also dropped (Kohlschütter et al. 2010: text and link density).
///   4. A heading stays if something after it, before the next heading of its rank, stays.
/// A page that would lose nearly all of its prose is kept whole. Linear.
void main_text(const HtmlBlocks& page, std::string& text);

}  // namespace leitong
