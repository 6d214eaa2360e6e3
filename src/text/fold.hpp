// The folded form of each code point: one table lookup for each character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "leitong/folding.hpp"

namespace leitong {

/// The role of a folded code point in units.
enum class FoldClass : std::uint32_t {
  separator,  ///< ends a word
  dropped,    ///< ignored
  letter,     ///< half a unit: letters, digits and marks of most scripts
  single,     ///< a unit of its own: Han, kana, hangul
  expansion,  ///< several entries, in FoldTable::expansions
};

/// An entry holds its class in bits 24..26, flags above, and in bits 0..23 the folded code point, or the
/// index of an expansion (its length, then that many entries, none of them an expansion).
[[nodiscard]] constexpr std::uint32_t fold_entry(FoldClass kind, std::uint32_t value) {
  return static_cast<std::uint32_t>(kind) << 24 | value;
}
inline constexpr std::uint32_t kFoldValue = 0xFFFFFF;
/// Set where NFKC may join the character with what stands before it (combining marks, hangul vowels and
/// finals, kana voicing marks).
inline constexpr std::uint32_t kFoldComposes = 1u << 31;
/// Flags of Latin letters, of Cyrillic and Greek letters, and of those Cyrillic and Greek letters that look
/// like a Latin letter. An expansion has the flags of all its letters.
inline constexpr std::uint32_t kFoldLatin = 1u << 27;
inline constexpr std::uint32_t kFoldForeign = 1u << 28;
inline constexpr std::uint32_t kFoldLookAlike = 1u << 29;

/// The number of code points with an entry. There are no scripts above it yet: tags and selectors
/// (U+E0000..E0FFF) are dropped, and everything else (private use, or not assigned yet) is a unit of its own.
inline constexpr std::uint32_t kFoldLimit = 0x40000;

/// No character makes more than this many units for each byte of its UTF-8 form (U+FDFA: 8 units from 3
/// bytes).
inline constexpr std::size_t kMaxUnitsPerByte = 3;

/// A folded letter of Cyrillic or Greek, and the Latin letter that replaces it inside a Latin word.
struct LookAlike {
  std::uint32_t letter;
  std::uint32_t latin;
};

struct FoldTable {
  const std::uint32_t* entries;            ///< kFoldLimit of them
  const std::uint32_t* expansions;         ///< indexed by the value of FoldClass::expansion
  std::span<const LookAlike> look_alikes;  ///< sorted by letter
};

/// The class of an entry.
[[nodiscard]] constexpr FoldClass fold_class(std::uint32_t entry) {
  return static_cast<FoldClass>(entry >> 24 & 7);
}

/// The table for a value of Marks, expanded to a flat megabyte at first use (well under a millisecond).
[[nodiscard]] const FoldTable& fold_table(Marks marks = Marks::fold);

}  // namespace leitong
