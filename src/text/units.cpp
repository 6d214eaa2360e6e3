#include "text/units.hpp"

#include <string>

#include "base/kernel_families.hpp"
#include "text/compared_text.hpp"
#include "text/compose.hpp"
#include "text/folded_piece.hpp"
#include "text/units_kernel.hpp"

namespace leitong {
namespace {

UnitsKernel kernel_of(Simd level) { LEITONG_RETURN_KERNEL(level, units_scalar, units_avx2, units_avx512); }

const std::uint8_t* bytes(const char* p) { return reinterpret_cast<const std::uint8_t*>(p); }

}  // namespace

std::size_t to_units(std::string_view utf8, PodVector<Unit>& units) {
  return to_units(utf8, units, simd_level());
}

std::size_t to_units(std::string_view utf8, const Folding& folding, PodVector<Unit>& units) {
  return to_units(utf8, units, simd_level(), folding);
}

std::size_t to_units(std::string_view utf8, PodVector<Unit>& units, Simd level, const Folding& folding) {
  const ComparedText compared(utf8, folding.numbers);
  fold_units(compared.text(), folding.marks, units, level);
  return compared.artifacts();
}

void fold_units(std::string_view utf8, Marks marks, PodVector<Unit>& units, Simd level) {
  const UnitsKernel kernel = kernel_of(level);
  const FoldTable& table = fold_table(marks);
  std::size_t count = 0;
  UnitsCursor cursor{};
  const auto append = [&](std::string_view piece) {
    units.resize_for_overwrite(count + piece.size() * kMaxUnitsPerByte + kUnitsSlack);
    cursor.out = units.data() + count;
    const bool done = kernel(table, bytes(piece.data()), bytes(piece.data() + piece.size()), cursor);
    count = static_cast<std::size_t>(cursor.out - units.data());
    return done;
  };
  const auto append_slowly = [&](std::string_view piece) {
    UnitsTail tail{units.data() + count, cursor.half};
    for (const FoldedCharacter& character : fold_piece(table, piece, 0)) tail.put(table, character.entry);
    count = static_cast<std::size_t>(tail.out - units.data());
    cursor.half = tail.half;
  };
  std::string composed;
  for (std::size_t at = 0; at < utf8.size();) {
    const std::size_t end = piece_end(utf8, at);
    const std::string_view piece = utf8.substr(at, end - at);
    cursor.composed = false;
    if (!append(piece)) {
      compose(piece, composed);
      cursor.composed = true;
      if (!append(composed)) append_slowly(piece);
    }
    at = end;
  }
  units.resize_for_overwrite(count + 1);
  if (cursor.half != 0) units[count++] = pair_unit(cursor.half, 0);
  units.resize_for_overwrite(count);
}

}  // namespace leitong
