// An HTML page as blocks of text, with data that distinguish content from navigation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/byte_range.hpp"

namespace leitong {

/// The deepest nesting of elements; deeper pages are refused (the parser searches all open elements at every
/// end tag).
inline constexpr int kDeepestHtml = 4000;

/// A line of the readable text: a paragraph, heading, cell or item; a `pre` is one block.
struct HtmlBlock {
  ByteRange text;              ///< without the line feed after it
  std::size_t link_bytes = 0;  ///< bytes of it in links
  std::uint32_t region = 0;    ///< the outermost enclosing element that is chrome by its name, or 0
  std::uint8_t heading = 0;    ///< 1 to 6, or 0
  bool is_title = false;       ///< of <title>
  bool in_main = false;        ///< within main, article or role=main
  bool in_control = false;     ///< within a form control: button, select, textarea
  bool is_preformatted = false;
};

struct HtmlBlocks {
  std::string text;               ///< the visible text of the page, a line feed between blocks
  std::vector<HtmlBlock> blocks;  ///< in order
  std::uint32_t regions = 0;      ///< number of regions, which are numbered from 1
};

/// Parses a page: leaves out tags, scripts, styles, templates and comments, replaces entities, and collapses
/// white space except in `pre`. `html` is UTF-8, whatever the page declares. Linear; the memory is that of
/// the result. Returns what is wrong, or an empty string.
[[nodiscard]] std::string read_html_blocks(std::string_view html, HtmlBlocks& page);

}  // namespace leitong
