// What each code point becomes when a text is normalised: one table look-up per character. Internal to
// src/text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/normalise.hpp"

namespace leitong {

/// What a look-up says. The first four come from the build's table, the others from the options.
enum class NormalKind : std::uint32_t {
  single,     ///< one code point, whatever stands beside it
  expansion,  ///< several: value is the index of their list
  mark,       ///< a combining mark that stays if it stands in canonical order
  composing,  ///< may change with its neighbours: value is the index of a list, and NFC has the last word
  dropped,    ///< nothing
  space,      ///< white space, to be run together
};

// An entry holds the kind in bits 29..31, a mark's canonical combining class in bits 21..28 and the value
// below. A character that stays as it is has its own code point as entry.
inline constexpr std::uint32_t kNormalValue = 0x1FFFFF;
[[nodiscard]] constexpr std::uint32_t normal_entry(NormalKind kind, std::uint32_t value,
                                                   unsigned combining = 0) {
  return static_cast<std::uint32_t>(kind) << 29 | combining << 21 | value;
}
[[nodiscard]] constexpr NormalKind normal_kind(std::uint32_t entry) {
  return static_cast<NormalKind>(entry >> 29);
}
[[nodiscard]] constexpr unsigned combining_class(std::uint32_t entry) { return entry >> 21 & 255; }

/// No character gives more than this many bytes (and so code points) per byte of its own: U+FDFA gives 33
/// from 3.
inline constexpr std::size_t kMaxNormalGrowth = 12;

// What NormalTable::ascii says instead of a byte.
inline constexpr std::uint8_t kAsciiSpace = 0x80;
inline constexpr std::uint8_t kAsciiDropped = 0x81;

/// The table of one set of options.
struct NormalTable {
  explicit NormalTable(const NormaliseOptions& options);

  alignas(64) std::array<std::uint8_t, 128> ascii;
  std::vector<std::uint32_t> entries;     ///< kFoldLimit of them
  std::vector<std::uint32_t> expansions;  ///< lists: their length, then that many code points
  bool drops_invisible;
};

}  // namespace leitong
