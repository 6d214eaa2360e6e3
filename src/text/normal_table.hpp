// The result of normalisation for each code point: one table lookup for each character. Internal to src/text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/normalise.hpp"

namespace leitong {

/// The result of a lookup. The first four kinds come from the build's table, the others from the options.
enum class NormalKind : std::uint32_t {
  single,     ///< one code point, independent of its neighbours
  expansion,  ///< several: the value is the index of their list
  mark,       ///< a combining mark that stays if the marks are in canonical order
  composing,  ///< may change with its neighbours; the value is the index of a list to which NFC is applied
  dropped,    ///< nothing
  space,      ///< white space, of which a run becomes one space
};

// An entry holds the kind in bits 29..31, the canonical combining class of a mark in bits 21..28 and the
// value below. The entry of a character that does not change is its own code point.
inline constexpr std::uint32_t kNormalValue = 0x1FFFFF;
[[nodiscard]] constexpr std::uint32_t normal_entry(NormalKind kind, std::uint32_t value,
                                                   unsigned combining = 0) {
  return static_cast<std::uint32_t>(kind) << 29 | combining << 21 | value;
}
[[nodiscard]] constexpr NormalKind normal_kind(std::uint32_t entry) {
  return static_cast<NormalKind>(entry >> 29);
}
[[nodiscard]] constexpr unsigned combining_class(std::uint32_t entry) { return entry >> 21 & 255; }

/// No character makes more than this many bytes (and so code points) for each of its own bytes: U+FDFA makes
/// 33 from 3.
inline constexpr std::size_t kMaxNormalGrowth = 12;

// The value in NormalTable::ascii that means white space, in place of a byte.
inline constexpr std::uint8_t kAsciiSpace = 0x80;
inline constexpr std::uint8_t kAsciiDropped = 0x81;

/// The table for one set of options.
struct NormalTable {
  explicit NormalTable(const NormaliseOptions& options);

  alignas(64) std::array<std::uint8_t, 128> ascii;
  std::vector<std::uint32_t> entries;     ///< kFoldLimit of them
  std::vector<std::uint32_t> expansions;  ///< lists: their length, then that many code points
  bool drops_invisible;
};

}  // namespace leitong
