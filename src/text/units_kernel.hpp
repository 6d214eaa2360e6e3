// The interface between to_units() and its kernels, and the step for one character that they share. Internal
// to src/text.
//
// Included by translation units with different instruction sets: all code here has internal linkage and uses
// nothing of the standard library. Otherwise the linker might keep the instructions of one translation unit
// for all of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "text/fold.hpp"
#include "text/units.hpp"
#include "text/utf8_decode.hpp"

namespace leitong {

/// The position of a kernel between two pieces of one text.
struct UnitsCursor {
  Unit* out;  ///< where the next unit goes; room for kMaxUnitsPerByte per byte of the piece, plus kUnitsSlack
  std::uint32_t half = 0;  ///< first letter of a unit whose second may follow, or 0
  bool composed = false;   ///< the piece is in NFKC: marks are letters and do not stop the kernel
};

/// Kernels write whole vectors, so up to this number of units after the last one may be overwritten.
inline constexpr std::size_t kUnitsSlack = 64;

/// Appends the units of [text, end), which must be whole characters of valid UTF-8, and moves the cursor;
/// reads nothing outside. Returns false and leaves the cursor if the piece has a character that may compose
/// with its predecessor and is not known to be in NFKC, or a look-alike in one word with a Latin letter.
using UnitsKernel = bool (*)(const FoldTable& table, const std::uint8_t* text, const std::uint8_t* end,
                             UnitsCursor& cursor);

bool units_scalar(const FoldTable& table, const std::uint8_t* text, const std::uint8_t* end,
                  UnitsCursor& cursor);
bool units_avx2(const FoldTable& table, const std::uint8_t* text, const std::uint8_t* end,
                UnitsCursor& cursor);
bool units_avx512(const FoldTable& table, const std::uint8_t* text, const std::uint8_t* end,
                  UnitsCursor& cursor);

namespace {

constexpr std::uint32_t kFirstFactor = 0x01000193u;
constexpr std::uint32_t kSecondFactor = 0x9E3779B1u;
constexpr std::uint32_t kPairBit = 0x80000000u;

/// The unit of two letters, or of one letter if `second` is 0.
[[maybe_unused]] constexpr Unit pair_unit(std::uint32_t first, std::uint32_t second) {
  return (first * kFirstFactor ^ second * kSecondFactor) | kPairBit;
}

[[maybe_unused]] inline std::uint32_t entry_of(const FoldTable& table, std::uint32_t c) {
  if (c < kFoldLimit) return table.entries[c];
  return c >> 12 == 0xE0 ? fold_entry(FoldClass::dropped, 0) : fold_entry(FoldClass::single, c);
}

/// True if the word of the look-alike [at, next) has a Latin letter before or after it, with no letter of
/// Cyrillic or Greek between. In every Latin word that has look-alikes this is true of at least one of them.
[[maybe_unused]] inline bool meets_latin(const FoldTable& table, const std::uint8_t* text,
                                         const std::uint8_t* at, const std::uint8_t* next,
                                         const std::uint8_t* end) {
  constexpr std::uint32_t kWordEnds = 1;  // besides the flags of letters that end the search
  const auto seen = [&table](std::uint32_t c) -> std::uint32_t {
    const std::uint32_t entry = entry_of(table, c);
    const FoldClass kind = fold_class(entry);
    if (kind == FoldClass::separator || kind == FoldClass::single) return kWordEnds;
    return entry & (kFoldLatin | kFoldForeign);
  };
  std::uint32_t before = 0, behind = 0;
  while (before == 0 && at > text) {
    at = character_before(at);
    before = seen(decode(at));
  }
  while (behind == 0 && next < end) {
    behind = seen(decode(next));
    next += character_length(*next);
  }
  return ((before | behind) & kFoldLatin) != 0;
}

/// The end of a unit sequence to which units are appended.
struct UnitsTail {
  Unit* out;
  std::uint32_t half;

  void separate() {
    if (half != 0) *out++ = pair_unit(half, 0);
    half = 0;
  }
  void put(const FoldTable& table, std::uint32_t entry) {
    const std::uint32_t value = entry & kFoldValue;
    switch (fold_class(entry)) {
      case FoldClass::letter:
        if (half != 0) *out++ = pair_unit(half, value);
        half = half != 0 ? 0 : value;
        break;
      case FoldClass::single:
        separate();
        *out++ = value;
        break;
      case FoldClass::separator:
        separate();
        break;
      case FoldClass::dropped:
        break;
      case FoldClass::expansion:
        for (std::uint32_t i = 1; i <= table.expansions[value]; ++i) put_plain(table.expansions[value + i]);
        break;
    }
  }

 private:
  // A recursive call would keep the compiler from inlining put().
  void put_plain(std::uint32_t entry) {
    const FoldClass kind = fold_class(entry);
    const std::uint32_t value = entry & kFoldValue;
    if (kind == FoldClass::letter) {
      if (half != 0) *out++ = pair_unit(half, value);
      half = half != 0 ? 0 : value;
    } else {
      separate();
      if (kind == FoldClass::single) *out++ = value;
    }
  }
};

/// The input of a kernel.
struct Piece {
  const std::uint32_t* entries;
  const FoldTable& table;
  const std::uint8_t* text;
  const std::uint8_t* end;
  std::uint32_t stop;     ///< bits of an entry that stop the kernel
  std::uint32_t look_at;  ///< these bits and the one of look-alikes

  Piece(const FoldTable& of, const std::uint8_t* begin, const std::uint8_t* behind, const UnitsCursor& cursor)
      : entries(of.entries),
        table(of),
        text(begin),
        end(behind),
        stop(cursor.composed ? 0 : kFoldComposes),
        look_at(stop | kFoldLookAlike) {}

  /// True if the character [at, next) needs what the kernels cannot do.
  bool stops(std::uint32_t entry, const std::uint8_t* at, const std::uint8_t* next) const {
    return (entry & look_at) != 0 && stops_here(entry, at, next);
  }

 private:
  [[gnu::noinline]] bool stops_here(std::uint32_t entry, const std::uint8_t* at,
                                    const std::uint8_t* next) const {
    if ((entry & stop) != 0) return true;
    // Most of these letters are among others of U+0400 to U+047F.
    const auto is_cyrillic = [](std::uint8_t lead) { return (lead & 0xFE) == 0xD0; };
    if (at - text >= 2 && is_cyrillic(at[-2]) && next < end && is_cyrillic(*next)) return false;
    return meets_latin(table, text, at, next, end);
  }
};

/// Appends the character at p and returns its end, or null if it stops the kernel. One test of its first byte
/// tells both how long it is and where its entry is.
[[maybe_unused]] inline const std::uint8_t* put_character(const Piece& piece, const std::uint8_t* p,
                                                          UnitsTail& tail) {
  const std::uint8_t* next = p;
  std::uint32_t entry = 0;
  if (*p < 0x80) {
    entry = piece.entries[*p];
    next = p + 1;
  } else if (*p < 0xE0) {
    entry = piece.entries[decode2(p)];
    next = p + 2;
  } else if (*p < 0xF0) {
    entry = piece.entries[decode3(p)];
    next = p + 3;
  } else {
    entry = entry_of(piece.table, decode4(p));
    next = p + 4;
  }
  if (piece.stops(entry, p, next)) return nullptr;
  tail.put(piece.table, entry);
  return next;
}

}  // namespace
}  // namespace leitong
