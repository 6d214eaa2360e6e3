#include "text/normalise_kernel.hpp"

namespace leitong {
namespace {

template <class T>
bool normalise(const NormalView& view, const std::uint8_t* end, NormalCursor<T>& cursor) {
  NormalTail<T> tail(cursor);
  const std::uint8_t* p = cursor.in;
  bool decided = true;
  while (p < end && decided) {
    if (*p < 0x80) {
      take_ascii(view.ascii[*p++], tail);
      continue;
    }
    decided = tail.take(view, normal_entry_of(view, decode(p)), p, cursor.floor);
    if (decided) p += character_length(*p);
  }
  tail.save(cursor);
  cursor.in = p;
  return decided;
}

}  // namespace

bool normalise_scalar(const NormalView& view, const std::uint8_t* end, NormalCursor<std::uint8_t>& cursor) {
  return normalise(view, end, cursor);
}
bool normalise_scalar(const NormalView& view, const std::uint8_t* end, NormalCursor<std::uint32_t>& cursor) {
  return normalise(view, end, cursor);
}

}  // namespace leitong
