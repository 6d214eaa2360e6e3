#include "text/compared_text.hpp"
#include "text/compose.hpp"
#include "text/folded_piece.hpp"
#include "text/units_kernel.hpp"

namespace leitong {

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
  std::vector<FoldedCharacter> word;
  const auto end_word = [&] {
    for (std::size_t i = 0; i < word.size(); i += 2) {
      const bool pair = i + 1 < word.size();
      units.push_back(pair_unit(word[i].entry & kFoldValue, pair ? word[i + 1].entry & kFoldValue : 0));
      places.push_back({word[i].place.begin, (pair ? word[i + 1] : word[i]).place.end});
    }
    word.clear();
  };
  for (std::size_t at = 0; at < utf8.size();) {
    const std::size_t end = piece_end(utf8, at);
    for (const FoldedCharacter& character : fold_piece(table, utf8.substr(at, end - at), at)) {
      switch (fold_class(character.entry)) {
        case FoldClass::letter:
          word.push_back(character);
          break;
        case FoldClass::dropped:
          break;
        case FoldClass::single:
          end_word();
          units.push_back(character.entry & kFoldValue);
          places.push_back(character.place);
          break;
        default:
          end_word();
      }
    }
    at = end;
  }
  end_word();
}

}  // namespace leitong
