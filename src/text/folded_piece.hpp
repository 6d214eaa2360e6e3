// The folded characters of a piece of text, one by one, with their places. Handles what the kernels cannot
// do, and everything in the slow implementation that they are tested against. Internal to src/text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "leitong/byte_range.hpp"
#include "text/fold.hpp"

namespace leitong {

/// A folded character, which is no expansion, and the bytes of the text from which it was made.
struct FoldedCharacter {
  std::uint32_t entry;
  ByteRange place;
};

/// Composes and folds a piece that begins at `offset` of its text. Letters of Cyrillic and Greek in one word
/// with Latin letters count as the Latin letters that they look like, if all of them look like one.
[[nodiscard]] std::vector<FoldedCharacter> fold_piece(const FoldTable& table, std::string_view piece,
                                                      std::size_t offset);

}  // namespace leitong
