// Cuts a text into chunks that are segmented one after another. The cuts are after separators, which no word
// and no sum of weights crosses.
#pragma once

#include <cstddef>
#include <string_view>

namespace leitong {

/// So much that the data of a chunk stays in the first and second cache level through all stages.
inline constexpr std::size_t kChunkBytes = 4096;

/// The end of the chunk that begins at `begin`: after a separator (or at the text's end), at most kChunkBytes
/// later, or more if the second half of that has no separator. REQUIRES: valid UTF-8, begin < text.size().
[[nodiscard]] std::size_t chunk_end(std::string_view utf8, std::size_t begin);

/// True if a separator ends before `place`. REQUIRES: valid UTF-8, `place` is the beginning of a character or
/// the end.
[[nodiscard]] bool follows_separator(std::string_view utf8, std::size_t place);

}  // namespace leitong
