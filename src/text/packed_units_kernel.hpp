// The interface between pack_units() and its kernels, and the meaning of one word. Internal to src/text.
//
// Included by translation units with different instruction sets: all code here has internal linkage and uses
// nothing of the standard library. Otherwise the linker might keep the instructions of one translation unit
// for all of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "text/units_kernel.hpp"

namespace leitong {

/// Packs units from the first one on, as long as each is one word, and returns how many it packed. It may
/// stop earlier: up to kPackedBlock units before one that is no single word, or before the end. Reads and
/// writes nothing after `count`.
using PackKernel = std::size_t (*)(const Unit* units, std::size_t count, std::uint16_t* words);
/// Unpacks units. At least `count` words must be readable.
using UnpackKernel = std::size_t (*)(const std::uint16_t* words, std::size_t count, Unit* units);

inline constexpr std::size_t kPackedBlock = 16;

std::size_t pack_scalar(const Unit* units, std::size_t count, std::uint16_t* words);
std::size_t pack_avx2(const Unit* units, std::size_t count, std::uint16_t* words);
std::size_t pack_avx512(const Unit* units, std::size_t count, std::uint16_t* words);
std::size_t unpack_scalar(const std::uint16_t* words, std::size_t count, Unit* units);
std::size_t unpack_avx2(const std::uint16_t* words, std::size_t count, Unit* units);
std::size_t unpack_avx512(const std::uint16_t* words, std::size_t count, Unit* units);

namespace {

// Surrogates are no characters, so their values serve as codes of pairs of letters and digits, and the last
// one means "two words follow".
constexpr std::uint32_t kCodes = 0xD800, kCodeMask = 0x7FF, kEscape = kCodes + kCodeMask;
[[maybe_unused]] constexpr bool is_code(std::uint32_t word) { return (word & ~kCodeMask) == kCodes; }

// The code of a pair is kCodes + kSeconds * the number of the first letter + the number of the second one,
// where the second number 0 means no second letter.
constexpr std::uint32_t kLetters = 26, kFirsts = 36, kSeconds = kFirsts + 1;
static_assert(kFirsts * kSeconds < kCodeMask);
[[maybe_unused]] constexpr std::uint32_t first_of(std::uint32_t number) {
  return number < kLetters ? 'a' + number : '0' + number - kLetters;
}
[[maybe_unused]] constexpr std::uint32_t second_of(std::uint32_t number) {
  return number == 0 ? 0 : first_of(number - 1);
}
[[maybe_unused]] constexpr std::uint32_t number_of_first(std::uint32_t letter) {
  return letter >= 'a' ? letter - 'a' : letter - '0' + kLetters;
}

// The second letter of a pair by bits 16 to 23 of its unit, on which the first letter has no influence. For
// some of these bits there are two second letters; then at most one of them leads to a first letter that
// makes the unit.
constexpr unsigned kSecondShift = 16, kFirstShift = 24;
constexpr std::uint32_t kFirstMask = 0x7F;
struct SecondLetters {
  std::uint8_t likely[256] = {}, other[256 + 3] = {};  // padding, since four bytes are read at each place
};
constexpr SecondLetters kSecondLetters = [] {
  SecondLetters letters;
  for (std::uint32_t number = 0; number < kSeconds; ++number) {
    const std::uint32_t letter = second_of(number), at = letter * kSecondFactor >> kSecondShift & 0xFF;
    if (number == 0 || letters.likely[at] != 0)
      letters.other[at] = static_cast<std::uint8_t>(letter);
    else
      letters.likely[at] = static_cast<std::uint8_t>(letter);
  }
  return letters;
}();

}  // namespace
}  // namespace leitong
