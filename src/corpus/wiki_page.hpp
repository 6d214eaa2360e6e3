// Pages of a MediaWiki XML dump.
#pragma once

#include <memory>
#include <string_view>

#include "corpus/record_scanner.hpp"

namespace leitong {

/// A page's parts, as they are written (unescape_xml()). Of several revisions the last one counts.
struct WikiPage {
  std::string_view id, title, ns;
  std::string_view revision, timestamp, text;
  const char* problem = nullptr;  ///< why it is no whole page
};

/// Is it the beginning of a dump?
[[nodiscard]] bool is_wiki_dump(std::string_view first_bytes) noexcept;

/// Where the first page begins, with the white space before it in its line; npos if there is none.
[[nodiscard]] std::size_t first_wiki_page(std::string_view bytes) noexcept;

/// A piece from <page> to </page>, without what is around it; empty if it holds none.
[[nodiscard]] std::string_view without_page_surroundings(std::string_view piece) noexcept;

/// Finds the parts of a page. Tags of MediaWiki are found as they are written: text holds no "<".
[[nodiscard]] WikiPage parse_wiki_page(std::string_view page) noexcept;

/// An end is behind </page> and its line end.
[[nodiscard]] std::unique_ptr<RecordScanner> make_wiki_scanner();

}  // namespace leitong
