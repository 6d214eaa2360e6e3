// The interface between Normaliser and its kernels, and the step for one character that they share. Internal
// to src/text; internal linkage and no standard library (see units_kernel.hpp).
#pragma once

#include "text/fold.hpp"
#include "text/normal_table.hpp"
#include "text/utf8_decode.hpp"

namespace leitong {

/// A NormalTable in the form that kernels use.
struct NormalView {
  const std::uint32_t* entries;
  const std::uint32_t* expansions;
  const std::uint8_t* ascii;
  bool drops_invisible;
};

/// The position of a kernel. T is a byte of UTF-8 or a code point.
template <class T>
struct NormalCursor {
  const std::uint8_t* in;
  const std::uint8_t* floor;  ///< nothing before it can affect what follows
  T* out;                     ///< room for kMaxNormalGrowth per byte of the piece, plus kNormaliseSlack
  bool begun = false;         ///< something visible was written
  bool gap = false;           ///< white space was read since
};

/// Kernels write whole vectors, so up to this number of elements after the last one may be overwritten.
inline constexpr std::size_t kNormaliseSlack = 320;

/// Continues to `end` and returns true, or stops at a character that the table alone cannot decide and
/// returns false; then cursor.in is that character. Reads nothing outside [cursor.floor, end).
template <class T>
using NormaliseKernel = bool (*)(const NormalView& view, const std::uint8_t* end, NormalCursor<T>& cursor);

bool normalise_scalar(const NormalView& view, const std::uint8_t* end, NormalCursor<std::uint8_t>& cursor);
bool normalise_scalar(const NormalView& view, const std::uint8_t* end, NormalCursor<std::uint32_t>& cursor);
bool normalise_avx2(const NormalView& view, const std::uint8_t* end, NormalCursor<std::uint8_t>& cursor);
bool normalise_avx2(const NormalView& view, const std::uint8_t* end, NormalCursor<std::uint32_t>& cursor);
bool normalise_avx512(const NormalView& view, const std::uint8_t* end, NormalCursor<std::uint8_t>& cursor);
bool normalise_avx512(const NormalView& view, const std::uint8_t* end, NormalCursor<std::uint32_t>& cursor);

namespace {

[[maybe_unused]] inline std::uint32_t normal_entry_of(const NormalView& view, std::uint32_t c) {
  if (c < kFoldLimit) return view.entries[c];
  const bool invisible = c >> 12 == 0xE0 || (c & 0xFFFE) == 0xFFFE;
  return invisible && view.drops_invisible ? normal_entry(NormalKind::dropped, 0) : c;
}

/// True if the text can be divided before this character, whatever precedes it.
[[maybe_unused]] inline bool begins_afresh(const NormalView& view, std::uint32_t entry) {
  switch (normal_kind(entry)) {
    case NormalKind::single:
    case NormalKind::expansion:
    case NormalKind::space:
      return true;
    case NormalKind::mark:
    case NormalKind::dropped:
      return false;
    case NormalKind::composing:
      break;
  }
  const NormalKind first = normal_kind(normal_entry_of(view, view.expansions[(entry & kNormalValue) + 1]));
  return first == NormalKind::single || first == NormalKind::space;
}

[[maybe_unused]] inline void put_point(std::uint32_t c, std::uint32_t*& out) { *out++ = c; }
[[maybe_unused]] inline void put_point(std::uint32_t c, std::uint8_t*& out) {
  if (c < 0x80) {
    *out++ = static_cast<std::uint8_t>(c);
    return;
  }
  if (c < 0x800) {
    *out++ = static_cast<std::uint8_t>(0xC0 | c >> 6);
  } else {
    if (c < 0x10000) {
      *out++ = static_cast<std::uint8_t>(0xE0 | c >> 12);
    } else {
      *out++ = static_cast<std::uint8_t>(0xF0 | c >> 18);
      *out++ = static_cast<std::uint8_t>(0x80 | (c >> 12 & 63));
    }
    *out++ = static_cast<std::uint8_t>(0x80 | (c >> 6 & 63));
  }
  *out++ = static_cast<std::uint8_t>(0x80 | (c & 63));
}

/// The end of a normal form to which characters are appended.
template <class T>
struct NormalTail {
  T* out;
  bool begun, gap;

  explicit NormalTail(const NormalCursor<T>& cursor)
      : out(cursor.out), begun(cursor.begun), gap(cursor.gap) {}
  void save(NormalCursor<T>& cursor) const {
    cursor.out = out;
    cursor.begun = begun;
    cursor.gap = gap;
  }
  void space() { gap = begun; }
  void put(std::uint32_t c) {
    if (gap) *out++ = ' ';
    gap = false;
    begun = true;
    put_point(c, out);
  }
  /// Appends the character at p, which has this entry, or returns false if the table alone cannot decide.
  bool take(const NormalView& view, std::uint32_t entry, const std::uint8_t* p, const std::uint8_t* floor) {
    switch (normal_kind(entry)) {
      case NormalKind::single:
        put(entry);
        return true;
      case NormalKind::expansion: {
        const std::uint32_t* list = view.expansions + (entry & kNormalValue);
        for (std::uint32_t i = 1; i <= list[0]; ++i) put(list[i]);
        return true;
      }
      case NormalKind::mark:
        if (!in_order(view, entry, p, floor)) return false;
        put(entry & kNormalValue);
        return true;
      case NormalKind::composing:
        return false;
      case NormalKind::dropped:
        return true;
      case NormalKind::space:
        space();
        return true;
    }
    return true;
  }

 private:
  static bool in_order(const NormalView& view, std::uint32_t mark, const std::uint8_t* p,
                       const std::uint8_t* floor) {
    if (p == floor) return false;
    const std::uint32_t before = normal_entry_of(view, decode_before(p));
    switch (normal_kind(before)) {
      case NormalKind::single:
      case NormalKind::expansion:
      case NormalKind::space:
        return true;
      case NormalKind::mark:
        return combining_class(before) <= combining_class(mark);
      default:
        return false;
    }
  }
};

/// Appends a byte of NormalTable::ascii. ASCII never composes with what precedes it.
template <class T>
inline void take_ascii(std::uint8_t to, NormalTail<T>& tail) {
  if (to < 0x80)
    tail.put(to);
  else if (to == kAsciiSpace)
    tail.space();
}

}  // namespace
}  // namespace leitong
