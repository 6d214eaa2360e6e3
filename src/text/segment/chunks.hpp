// Cutting a text into chunks that are segmented one after another: behind separators, where no word and no
// sum reaches across.
#pragma once

#include <cstddef>
#include <string_view>

namespace leitong {

/// What lies in the first and second cache level while a chunk goes through all stages.
inline constexpr std::size_t kChunkBytes = 4096;

/// End of the chunk that begins at `begin`: behind a separator (or the text's end), kChunkBytes on or less;
/// more only if there is no separator in the second half of that. REQUIRES: valid UTF-8, begin < text.size().
[[nodiscard]] std::size_t chunk_end(std::string_view utf8, std::size_t begin);

/// Whether a separator ends before `place`. REQUIRES: valid UTF-8, place a character's beginning or the end.
[[nodiscard]] bool follows_separator(std::string_view utf8, std::size_t place);

}  // namespace leitong
