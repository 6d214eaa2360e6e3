// Which keys the scheme "default" takes of a text, by its length: for the sketch, and for the join that
// reckons with their number.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong {

// Edits of people come in bursts: one long shingle that survives says as much as two or three short ones.
// Short texts get dense keys, long ones sparse keys; documents of 64..255 units bring both.
inline constexpr std::uint32_t kShortKeysBelow = 256, kLongKeysFrom = 64;
inline constexpr std::size_t kShortKeyUnits = 6, kShortKeyWindow = 4, kLongKeyUnits = 12;

/// The first word of a sketch is the number of keys of the short tier; they follow, then those of the long
/// tier. Where the text is repetitive (feature/repetition.hpp) the first word has this bit, too, and the last
/// word is a hash of the text's shingle set.
inline constexpr std::uint64_t kHasSetHash = std::uint64_t{1} << 32;

/// The winnowing window of the long tier.
[[nodiscard]] constexpr std::uint32_t long_key_window(std::uint32_t units) {
  if (units < 512) return 16;
  if (units < 2'048) return 32;
  if (units < 8'192) return 64;
  if (units < 32'768) return 128;
  return 256;
}

}  // namespace leitong
