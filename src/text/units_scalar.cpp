#include "text/units_kernel.hpp"

namespace leitong {

bool units_scalar(const FoldTable& table, const std::uint8_t* text, const std::uint8_t* end,
                  UnitsCursor& cursor) {
  UnitsTail tail{cursor.out, cursor.half};
  for (const std::uint8_t* p = text; p < end;) {
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
    if ((entry & kFoldComposes) && !cursor.composed) return false;
    tail.put(table, entry);
  }
  cursor.out = tail.out;
  cursor.half = tail.half;
  return true;
}

}  // namespace leitong
