#include <string>

#include "text/compose.hpp"
#include "text/units_kernel.hpp"

namespace leitong {
namespace {

/// A folded character with its place.
struct Placed {
  std::uint32_t entry;
  ByteRange place;
};

void append_folded(const FoldTable& table, std::uint32_t c, ByteRange place, std::vector<Placed>& folded) {
  const std::uint32_t entry = entry_of(table, c);
  if (static_cast<FoldClass>(entry >> 24 & 7) != FoldClass::expansion) {
    folded.push_back({entry, place});
    return;
  }
  const std::uint32_t* expansion = table.expansions + (entry & kFoldValue);
  for (std::uint32_t i = 1; i <= expansion[0]; ++i) folded.push_back({expansion[i], place});
}

/// The folded characters of a piece that begins at `offset` of its text.
std::vector<Placed> fold(std::string_view piece, std::size_t offset) {
  std::string composed;
  std::vector<ComposedRun> runs;
  compose(piece, composed, runs);
  std::vector<Placed> folded;
  for (const ComposedRun& run : runs) {
    for (std::size_t i = run.composed.begin; i < run.composed.end;) {
      const auto* p = reinterpret_cast<const std::uint8_t*>(composed.data() + i);
      const std::size_t length = character_length(*p);
      const std::size_t from = run.original.begin + (i - run.composed.begin);
      const ByteRange place = run.changed ? run.original : ByteRange{from, from + length};
      append_folded(fold_table(), decode(p), {offset + place.begin, offset + place.end}, folded);
      i += length;
    }
  }
  return folded;
}

}  // namespace

void to_units_with_places(std::string_view utf8, PodVector<Unit>& units, std::vector<ByteRange>& places) {
  units.clear();
  places.clear();
  std::vector<Placed> word;
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
    for (const Placed& character : fold(utf8.substr(at, end - at), at)) {
      switch (static_cast<FoldClass>(character.entry >> 24 & 7)) {
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
