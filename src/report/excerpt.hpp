// A text and its shared passages -> the parts that are worth showing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "leitong/byte_range.hpp"

namespace leitong {

/// Half-open range of bytes of a text that belong to one numbered passage.
struct MarkedRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint32_t number = 0;  ///< from 1
};

/// A run of text with one marking, or a gap where text was left out.
struct ExcerptPart {
  std::string_view text;      ///< empty for a gap
  std::uint32_t passage = 0;  ///< 0: not shared
  std::size_t skipped = 0;    ///< bytes left out here
};

/// How much of a text is shown, and which parts are always shown.
struct ExcerptRoom {
  std::size_t bytes = 0;  ///< at most
  /// Shown with their surroundings, the first ones first, if they fit in three quarters of `bytes`.
  std::span<const ByteRange> seen = {};
  std::size_t compared = SIZE_MAX;  ///< bytes; nothing after them is shown, except `seen`
};

/// Divides `text` at the marks and leaves out the middle of long runs, then everything without room; every
/// gap tells how much is left out. Marks may come in any order; of overlapping ones the earlier one counts;
/// marks outside the text are ignored. Never divides a UTF-8 sequence. The parts view `text`. O(marks log
/// marks + seen log seen + bytes).
[[nodiscard]] std::vector<ExcerptPart> excerpt(std::string_view text, std::vector<MarkedRange> marks,
                                               const ExcerptRoom& room);

/// The longest prefix of at most `most_bytes` bytes that does not divide a UTF-8 sequence.
[[nodiscard]] std::string_view utf8_prefix(std::string_view text, std::size_t most_bytes) noexcept;

}  // namespace leitong
