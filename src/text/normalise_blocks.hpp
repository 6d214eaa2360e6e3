// The common form of the vector kernels: runs of one script in inner loops, ASCII in blocks of 64 bytes.
// Internal to src/text; internal linkage (units_kernel.hpp).
#pragma once

#include "text/normalise_kernel.hpp"

namespace leitong {
namespace {

/// The ASCII bytes at p. `Block` is one instruction set's 64 bytes:
///   Block(ascii, p, left)  loads min(left, 64) bytes and looks them up in NormalTable::ascii
///   block.ascii()          length of the ASCII run at the start, at most `left`
///   block.spaces()         bit i: byte i is white space; likewise dropped()
///   block.emit(s, out)     what the bytes with a bit in s became (white space: U+0020), as bytes or points
template <class Block, class T>
inline const std::uint8_t* normal_ascii(const NormalView& view, const std::uint8_t* p,
                                        const std::uint8_t* end, NormalTail<T>& tail) {
  const Block block(view.ascii, p, static_cast<std::size_t>(end - p));
  const unsigned length = block.ascii();
  const std::uint64_t all = length == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
  const std::uint64_t spaces = block.spaces() & all;
  if (block.dropped() & all) {
    for (unsigned i = 0; i < length; ++i) take_ascii(view.ascii[p[i]], tail);
    return p + length;
  }
  const std::uint64_t visible = all & ~spaces;
  if (visible == 0) {
    tail.space();
    return p + length;
  }
  // The last character of a run of white space stays if something visible follows it in the block.
  std::uint64_t kept = visible | (spaces & visible >> 1);
  if (!tail.begun) kept &= ~std::uint64_t{0} << __builtin_ctzll(visible);
  if (tail.gap && (visible & 1)) *tail.out++ = ' ';
  tail.gap = spaces >> (length - 1) & 1;
  tail.begun = true;
  tail.out = block.emit(kept, tail.out);
  return p + length;
}

template <class T>
inline void copy3(const std::uint8_t* p, std::uint32_t c, T*& out) {
  if constexpr (sizeof(T) == 1) {
    out[0] = p[0];
    out[1] = p[1];
    out[2] = p[2];
    out += 3;
  } else {
    *out++ = c;
  }
}

template <class Block, class T>
inline bool normalise_by_blocks(const NormalView& view, const std::uint8_t* end, NormalCursor<T>& cursor) {
  NormalTail<T> tail(cursor);
  const std::uint8_t* p = cursor.in;
  const auto stop = [&](bool done) {
    tail.save(cursor);
    cursor.in = p;
    return done;
  };
  while (p < end) {
    if ((*p & 0xF0) == 0xE0) {
      do {
        const std::uint32_t c = decode3(p);
        const std::uint32_t entry = view.entries[c];
        if (entry == c && !tail.gap) {
          copy3(p, c, tail.out);
          tail.begun = true;
        } else if (!tail.take(view, entry, p, cursor.floor)) {
          return stop(false);
        }
        p += 3;
      } while (p < end && (*p & 0xF0) == 0xE0);
    } else if (*p < 0x80) {
      // A single space or digit is not worth a block.
      if (end - p > 1 && p[1] >= 0x80) {
        take_ascii(view.ascii[*p++], tail);
      } else {
        p = normal_ascii<Block>(view, p, end, tail);
      }
    } else if (*p < 0xE0) {
      do {
        if (!tail.take(view, view.entries[decode2(p)], p, cursor.floor)) return stop(false);
        p += 2;
      } while (p < end && (*p & 0xE0) == 0xC0);
    } else {
      if (!tail.take(view, normal_entry_of(view, decode4(p)), p, cursor.floor)) return stop(false);
      p += 4;
    }
  }
  return stop(true);
}

}  // namespace
}  // namespace leitong
