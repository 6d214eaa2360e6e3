// What counts of a text where it is compared: the choices that shape the units (docs/text.md).
#pragma once

#include <cstdint>

namespace leitong {

/// What becomes of marks and forms of letters that writers may leave out or choose: accents of Latin and
/// Greek, Arabic and Hebrew points, tatweel, the forms of alef, yeh and kaf, the digits of other scripts.
enum class Marks : std::uint8_t {
  fold,  ///< they do not count
  keep   ///< two spellings are two texts
};

/// What a number counts where texts are compared.
enum class NumberUnits : std::uint8_t {
  same,   ///< its digits are text as letters are
  masked  ///< all numbers are one: texts that differ in numbers alone are copies of each other
};

/// How texts are folded. Texts that were folded in different ways never compare.
struct Folding {
  Marks marks = Marks::fold;                ///< marks and forms of letters
  NumberUnits numbers = NumberUnits::same;  ///< numbers

  /// The same way.
  friend bool operator==(const Folding&, const Folding&) = default;
};

}  // namespace leitong
