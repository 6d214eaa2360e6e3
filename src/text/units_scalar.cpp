#include "text/units_kernel.hpp"

namespace leitong {

bool units_scalar(const FoldTable& table, const std::uint8_t* text, const std::uint8_t* end,
                  UnitsCursor& cursor) {
  UnitsTail tail{cursor.out, cursor.half};
  const Piece piece(table, text, end, cursor);
  for (const std::uint8_t* p = text; p < end;) {
    p = put_character(piece, p, tail);
    if (p == nullptr) return false;
  }
  cursor.out = tail.out;
  cursor.half = tail.half;
  return true;
}

}  // namespace leitong
