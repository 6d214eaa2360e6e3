// Finds what the layout of a printed text adds to it: line numbers, page numbers, running heads, and the
// hyphens of words that are divided between two lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "leitong/byte_range.hpp"

namespace leitong {

/// The places of a text that its layout added (ISO 32000-1, 14.8.2.2, calls them pagination artifacts), in
/// order and without overlap. They are recognised only if the text has them throughout, and if lines and
/// pages end in the middle of sentences, unlike those of lists and headings:
///
/// - line numbers: numbers that rise by one from line to line, before or behind the text of at least half of
///   the lines; or alone in their lines, in runs of at least 8 of them, of which each begins with 1;
/// - page numbers: lines of equal words, with a number that rises by one, on at least 3 pages of similar
///   length;
/// - running heads: equal lines beside the page numbers of at least half of the pages;
/// - a hyphen with the line end behind it, where a lower-case letter goes on, at 1 of 25 line ends and more.
///
/// REQUIRES: valid UTF-8. Linear.
[[nodiscard]] std::vector<ByteRange> page_artifacts(std::string_view utf8);

/// How many page artifacts texts have.
struct PageArtifactCounts {
  std::uint64_t documents = 0;  ///< texts that have any
  std::uint64_t places = 0;     ///< artifacts of all texts

  /// Counts the artifacts of one more text.
  void add(std::size_t artifacts) noexcept {
    documents += artifacts > 0 ? 1 : 0;
    places += artifacts;
  }
  PageArtifactCounts& operator+=(const PageArtifactCounts& more) noexcept {
    documents += more.documents;
    places += more.places;
    return *this;
  }
};

}  // namespace leitong
