#include "text/normalise.hpp"

#include <algorithm>
#include <string>

#include "base/kernel_families.hpp"
#include "text/compose.hpp"
#include "text/normalise_kernel.hpp"
#include "text/normalise_pieces.hpp"

namespace leitong {
namespace {

template <class T>
NormaliseKernel<T> normaliser_of(Simd level) {
  LEITONG_RETURN_KERNEL(level, normalise_scalar, normalise_avx2, normalise_avx512);
}

/// The elements that take() wrote for a character. They follow from its entry alone, since characters of
/// which this is not true (white space within an expansion) are left to compose_here().
template <class T>
std::size_t written(const NormalView& view, std::uint32_t entry) {
  std::uint8_t bytes[4];
  const auto size = [&](std::uint32_t c) -> std::size_t {
    if constexpr (sizeof(T) > 1) return 1;
    std::uint8_t* end = bytes;
    put_point(c, end);
    return static_cast<std::size_t>(end - bytes);
  };
  switch (normal_kind(entry)) {
    case NormalKind::single:
    case NormalKind::mark:
      return size(entry & kNormalValue);
    case NormalKind::expansion: {
      const std::uint32_t* list = view.expansions + (entry & kNormalValue);
      std::size_t sum = 0;
      for (std::uint32_t i = 1; i <= list[0]; ++i) sum += size(list[i]);
      return sum;
    }
    default:
      return 0;
  }
}

/// Removes the output since the last character that begins afresh, and brings the text from there to the next
/// such character into NFC.
template <class T>
void compose_here(const NormalView& view, const std::uint8_t* end, NormalCursor<T>& cursor,
                  ComposeScratch& scratch) {
  const std::uint8_t* begin = cursor.in;
  while (begin > cursor.floor) {
    const std::uint8_t* const before = character_before(begin);
    const std::uint32_t entry = normal_entry_of(view, decode(before));
    if (normal_kind(entry) == NormalKind::space) break;
    begin = before;
    cursor.out -= written<T>(view, entry);
    if (begins_afresh(view, entry)) break;
  }
  const std::uint8_t* const stop = segment_end(view, cursor.in + character_length(*cursor.in), end);
  compose_segment(view, begin, stop, scratch);

  NormalTail<T> tail(cursor);
  const bool runs_together = normal_kind(view.entries[U' ']) == NormalKind::space;
  const auto* p = reinterpret_cast<const std::uint8_t*>(scratch.composed.data());
  for (const auto* const last = p + scratch.composed.size(); p < last; p += character_length(*p)) {
    if (*p == ' ' && runs_together)
      tail.space();
    else
      tail.put(decode(p));
  }
  tail.save(cursor);
  cursor.in = cursor.floor = stop;
}

template <class T, class Stored>
NormaliseResult normalise(const NormalTable& table, std::string_view utf8, PodVector<Stored>& normal,
                          Simd level) {
  static_assert(sizeof(T) == sizeof(Stored));
  const NormaliseKernel<T> kernel = normaliser_of<T>(level);
  const NormalView view = view_of(table);
  const auto* const text = reinterpret_cast<const std::uint8_t*>(utf8.data());
  const std::size_t most = normal_cap(utf8.size());
  NormaliseResult result;
  NormalCursor<T> cursor{};
  ComposeScratch scratch;
  std::size_t count = 0;
  while (result.read < utf8.size()) {
    const NormalPiece piece = next_piece(view, utf8, result.read);
    normal.resize_for_overwrite(count + (piece.end - result.read) * kMaxNormalGrowth + kNormaliseSlack);
    T* const out = reinterpret_cast<T*>(normal.data());
    cursor.out = out + count;
    cursor.in = cursor.floor = text + result.read;
    while (!kernel(view, text + piece.end, cursor)) compose_here(view, text + piece.end, cursor, scratch);
    const auto now = static_cast<std::size_t>(cursor.out - out);
    if (now > most) break;
    count = now;
    result.read = piece.end;
    result.cut_marks += piece.cuts_marks;
  }
  normal.resize_for_overwrite(count);
  return result;
}

}  // namespace

Normaliser::Normaliser(const NormaliseOptions& options)
    : table_(std::make_unique<const NormalTable>(options)) {}
Normaliser::Normaliser(Normaliser&&) noexcept = default;
Normaliser& Normaliser::operator=(Normaliser&&) noexcept = default;
Normaliser::~Normaliser() = default;

NormaliseResult Normaliser::operator()(std::string_view utf8, PodVector<char>& normal) const {
  return (*this)(utf8, normal, simd_level());
}
NormaliseResult Normaliser::operator()(std::string_view utf8, PodVector<char>& normal, Simd level) const {
  return normalise<std::uint8_t>(*table_, utf8, normal, level);
}
NormaliseResult Normaliser::operator()(std::string_view utf8, PodVector<char32_t>& normal) const {
  return (*this)(utf8, normal, simd_level());
}
NormaliseResult Normaliser::operator()(std::string_view utf8, PodVector<char32_t>& normal, Simd level) const {
  return normalise<std::uint32_t>(*table_, utf8, normal, level);
}

}  // namespace leitong
