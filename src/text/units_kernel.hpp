// The seam between to_units() and its kernels, and the step per character that they share. Internal to
// src/text.
//
// Included by translation units with different instruction sets: everything that is code here has internal
// linkage and uses nothing of the standard library, or the linker might give another unit's instructions to
// all of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "text/fold.hpp"
#include "text/units.hpp"
#include "text/utf8_decode.hpp"

namespace leitong {

/// Where a kernel stands between two pieces of one text.
struct UnitsCursor {
  Unit*
      out;  ///< the next unit goes here; room for kMaxUnitsPerByte per byte of the piece and kUnitsSlack more
  std::uint32_t half = 0;  ///< first letter of a unit whose second may follow, or 0
  bool composed = false;   ///< the piece is in NFKC: marks are letters, not a reason to stop
};

/// Kernels write whole vectors: so many units behind the last one may be overwritten.
inline constexpr std::size_t kUnitsSlack = 64;

/// Appends the units of [text, end), whole characters of valid UTF-8, and moves the cursor; reads nothing
/// outside. False, with the cursor unmoved, if the piece has a character that may compose with its
/// predecessor and isn't known to be in NFKC.
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

/// The unit of two letters, or of one with second = 0.
[[maybe_unused]] constexpr Unit pair_unit(std::uint32_t first, std::uint32_t second) {
  return (first * kFirstFactor ^ second * kSecondFactor) | kPairBit;
}

[[maybe_unused]] inline std::uint32_t entry_of(const FoldTable& table, std::uint32_t c) {
  if (c < kFoldLimit) return table.entries[c];
  return c >> 12 == 0xE0 ? fold_entry(FoldClass::dropped, 0) : fold_entry(FoldClass::single, c);
}

/// The open end of a unit sequence.
struct UnitsTail {
  Unit* out;
  std::uint32_t half;

  void separate() {
    if (half != 0) *out++ = pair_unit(half, 0);
    half = 0;
  }
  void put(const FoldTable& table, std::uint32_t entry) {
    const std::uint32_t value = entry & kFoldValue;
    switch (static_cast<FoldClass>(entry >> 24 & 7)) {
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
  // Recursion would keep the compiler from inlining put().
  void put_plain(std::uint32_t entry) {
    const auto kind = static_cast<FoldClass>(entry >> 24 & 7);
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

/// Puts the character at p and returns its end; null if its entry has a bit of `stop`. One look at its first
/// byte tells both how long it is and where its entry is.
[[maybe_unused]] inline const std::uint8_t* put_character(const FoldTable& table, const std::uint8_t* p,
                                                          std::uint32_t stop, UnitsTail& tail) {
  std::uint32_t entry = 0;
  if (*p < 0x80) {
    entry = table.entries[*p++];
  } else if (*p < 0xE0) {
    entry = table.entries[decode2(p)];
    p += 2;
  } else if (*p < 0xF0) {
    entry = table.entries[decode3(p)];
    p += 3;
  } else {
    entry = entry_of(table, decode4(p));
    p += 4;
  }
  if (entry & stop) return nullptr;
  tail.put(table, entry);
  return p;
}

}  // namespace
}  // namespace leitong
