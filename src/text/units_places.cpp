#include "text/compared_text.hpp"
#include "text/compose.hpp"
#include "text/folded_piece.hpp"
#include "text/units_kernel.hpp"

namespace leitong {
namespace {

/// Does no composition change the character, unless a neighbour composes? The question only matters for
/// characters that make units. True for most characters of texts; false for a few for which it would be true.
bool stands_as_it_is(std::uint32_t c, std::uint32_t entry) {
  constexpr std::uint32_t kLooked = kFoldComposes | kFoldLookAlike;
  if ((entry & kLooked) != 0) return false;
  switch (fold_class(entry)) {
    case FoldClass::expansion:
      return false;
    case FoldClass::letter:
    case FoldClass::single:
      // A character that folds to itself is in the normal form. Han characters are as well, even if they fold
      // to simplified ones.
      return c < 0x80 || (c >= 0x4E00 && c < 0xA000) || (entry & kFoldValue) == c;
    default:
      return true;
  }
}

/// The end of a sequence of units and places, to which those of a piece are appended.
struct PlacedTail {
  Unit* unit;
  ByteRange* place;
  std::uint32_t half = 0;  // the first letter of a unit whose second may follow, or 0
  ByteRange half_place = {};

  void put(std::uint32_t entry, ByteRange at) {
    const std::uint32_t value = entry & kFoldValue;
    switch (fold_class(entry)) {
      case FoldClass::letter:
        if (half == 0) {
          half = value;
          half_place = at;
        } else {
          add(pair_unit(half, value), {half_place.begin, at.end});
          half = 0;
        }
        break;
      case FoldClass::dropped:
        break;
      case FoldClass::single:
        end_word();
        add(value, at);
        break;
      default:
        end_word();
    }
  }
  void end_word() {
    if (half != 0) add(pair_unit(half, 0), half_place);
    half = 0;
  }

 private:
  void add(Unit made, ByteRange at) {
    *unit++ = made;
    *place++ = at;
  }
};

/// Appends a piece that begins at `offset` of its text. Returns false if a character depends on its
/// neighbours.
bool put_plain_piece(const FoldTable& table, std::string_view piece, std::size_t offset, PlacedTail& out) {
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(piece.data());
  const std::uint8_t* const end = begin + piece.size();
  for (const std::uint8_t* p = begin; p < end;) {
    const std::size_t length = character_length(*p), at = offset + static_cast<std::size_t>(p - begin);
    const std::uint32_t c = decode(p), entry = entry_of(table, c);
    if (!stands_as_it_is(c, entry)) return false;
    out.put(entry, {at, at + length});
    p += length;
  }
  return true;
}

}  // namespace

void to_units_with_places(std::string_view utf8, PodVector<Unit>& units, std::vector<ByteRange>& places) {
  to_units_with_places(utf8, Folding(), units, places);
}

void to_units_with_places(std::string_view utf8, const Folding& folding, PodVector<Unit>& units,
                          std::vector<ByteRange>& places) {
  const ComparedText compared(utf8, folding.numbers);
  fold_units_with_places(compared.text(), folding.marks, units, places);
  for (ByteRange& place : places) place = compared.original(place);
}

void fold_units_with_places(std::string_view utf8, Marks marks, PodVector<Unit>& units,
                            std::vector<ByteRange>& places) {
  const FoldTable& table = fold_table(marks);
  units.clear();
  places.clear();
  std::uint32_t half = 0;
  ByteRange half_place = {};
  std::vector<FoldedCharacter> folded;
  PodVector<Unit> piece_units;
  PodVector<ByteRange> piece_places;
  for (std::size_t at = 0; at < utf8.size();) {
    const std::size_t end = piece_end(utf8, at);
    const std::string_view piece = utf8.substr(at, end - at);
    // No plain character makes more than one unit, and one more may be waiting.
    piece_units.resize_for_overwrite(piece.size() + 1);
    piece_places.resize_for_overwrite(piece.size() + 1);
    PlacedTail tail{piece_units.data(), piece_places.data(), half, half_place};
    if (!put_plain_piece(table, piece, at, tail)) {
      folded = fold_piece(table, piece, at);
      piece_units.resize_for_overwrite(folded.size() + 1);
      piece_places.resize_for_overwrite(folded.size() + 1);
      tail = {piece_units.data(), piece_places.data(), half, half_place};
      for (const FoldedCharacter& character : folded) tail.put(character.entry, character.place);
    }
    half = tail.half;
    half_place = tail.half_place;
    units.append({piece_units.data(), static_cast<std::size_t>(tail.unit - piece_units.data())});
    places.insert(places.end(), piece_places.data(), tail.place);
    at = end;
  }
  if (half == 0) return;
  units.push_back(pair_unit(half, 0));
  places.push_back(half_place);
}

}  // namespace leitong
