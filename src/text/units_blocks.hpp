// The common part of the vector kernels: ASCII in blocks of 64 bytes. Internal to src/text; internal linkage
// (units_kernel.hpp).
#pragma once

#include "text/units_kernel.hpp"

namespace leitong {
namespace {

/// The letters that begin a unit: those at even distances from the start of their word.
inline std::uint64_t unit_starts(std::uint64_t letters) {
  constexpr std::uint64_t kEven = 0x5555555555555555u;
  // Adding the even starts to `letters` carries through the words that start at even places and so clears
  // them (a technique that simdjson uses for strings). Cleared words have their units at even places, the
  // others at odd ones.
  const std::uint64_t word_starts = letters & ~(letters << 1);
  const std::uint64_t even_words = letters & ~(letters + (word_starts & kEven));
  return (even_words & kEven) | (letters & ~even_words & ~kEven);
}

/// Units of the ASCII bytes at p. `Block` is one instruction set's 64 bytes:
///   Block(p, left)       loads min(left, 64) bytes, the others as 0
///   block.ascii()        length of the ASCII run at the start, at most `left`
///   block.letters()      bit i: byte i is a letter or digit
///   block.letter(i)      byte i in lower case (of a letter or digit)
///   block.emit(s, out)   a unit for each bit i of s: byte i, and byte i + 1 if that is a letter or digit
template <class Block>
inline const std::uint8_t* ascii_units(const std::uint8_t* p, const std::uint8_t* end, UnitsTail& tail) {
  const std::size_t left = static_cast<std::size_t>(end - p);
  const Block block(p, left);
  const unsigned length = block.ascii();
  const std::uint64_t within = length < 64 ? (std::uint64_t{1} << length) - 1 : ~std::uint64_t{0};
  std::uint64_t letters = block.letters() & within;
  if (tail.half != 0) {
    *tail.out++ = pair_unit(tail.half, letters & 1 ? block.letter(0) : 0);
    tail.half = 0;
    letters &= ~std::uint64_t{1};
  }
  std::uint64_t starts = unit_starts(letters);
  const std::uint64_t last = within ^ within >> 1;
  if (starts & last) {  // its second letter may be in the next block
    tail.half = block.letter(length - 1);
    starts &= ~last;
  }
  tail.out = block.emit(starts, tail.out);
  return p + length;
}

}  // namespace
}  // namespace leitong
