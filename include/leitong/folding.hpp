// What counts when texts are compared: the choices that decide how units are made (docs/text.md).
#pragma once

#include <cstdint>

namespace leitong {

/// Whether marks and forms of letters count that writers may leave out or choose: accents of Latin and Greek,
/// Arabic and Hebrew points, tatweel, the forms of alef, yeh and kaf, the digits of other scripts.
enum class Marks : std::uint8_t {
  fold,  ///< they do not count
  keep   ///< they count: two spellings are two texts
};

/// How numbers count when texts are compared.
enum class NumberUnits : std::uint8_t {
  same,   ///< digits count like letters
  masked  ///< all numbers count as equal: texts that differ only in numbers are copies of each other
};

/// How texts are folded. Texts that were folded in different ways are never compared.
struct Folding {
  Marks marks = Marks::fold;                ///< marks and forms of letters
  NumberUnits numbers = NumberUnits::same;  ///< numbers

  /// Equal ways of folding.
  friend bool operator==(const Folding&, const Folding&) = default;
};

}  // namespace leitong
