// Finds where a text may be cut for normalising, and brings a stretch into NFC. Internal to src/text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/normalise_kernel.hpp"

namespace leitong {

[[nodiscard]] NormalView view_of(const NormalTable& table);

/// The most elements that the normal form of so many bytes may have.
[[nodiscard]] constexpr std::size_t normal_cap(std::size_t bytes) {
  return bytes * kNormalGrowth + kNormalSlack;
}

struct NormalPiece {
  std::size_t end;
  bool cuts_marks;  ///< the piece ends inside a run of marks that is too long
};

/// The piece of a text that begins at `begin`: some kilobytes, up to a character that begins afresh.
[[nodiscard]] NormalPiece next_piece(const NormalView& view, std::string_view utf8, std::size_t begin);

/// The next character at or after p that begins afresh, or `end`.
[[nodiscard]] const std::uint8_t* segment_end(const NormalView& view, const std::uint8_t* p,
                                              const std::uint8_t* end);

struct ComposeScratch {
  std::string mapped, composed;
};

/// Brings what the table makes of the characters of [begin, end) into NFC, in scratch.composed.
void compose_segment(const NormalView& view, const std::uint8_t* begin, const std::uint8_t* end,
                     ComposeScratch& scratch);

}  // namespace leitong
