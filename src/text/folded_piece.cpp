#include "text/folded_piece.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "text/compose.hpp"
#include "text/units_kernel.hpp"

namespace leitong {
namespace {

void append_folded(const FoldTable& table, std::uint32_t c, ByteRange place,
                   std::vector<FoldedCharacter>& folded) {
  const std::uint32_t entry = entry_of(table, c);
  if (fold_class(entry) != FoldClass::expansion) {
    folded.push_back({entry, place});
    return;
  }
  const std::uint32_t* expansion = table.expansions + (entry & kFoldValue);
  for (std::uint32_t i = 1; i <= expansion[0]; ++i) folded.push_back({expansion[i], place});
}

bool ends_word(const FoldedCharacter& character) {
  const FoldClass kind = fold_class(character.entry);
  return kind == FoldClass::separator || kind == FoldClass::single;
}

void unmask(const FoldTable& table, std::span<FoldedCharacter> word) {
  const auto has = [](std::uint32_t flag) {
    return [flag](const FoldedCharacter& character) { return (character.entry & flag) != 0; };
  };
  if (std::ranges::none_of(word, has(kFoldLatin))) return;
  const auto foreign = std::ranges::count_if(word, has(kFoldForeign));
  if (foreign == 0 || foreign != std::ranges::count_if(word, has(kFoldLookAlike))) return;
  for (FoldedCharacter& character : word) {
    if (!has(kFoldLookAlike)(character)) continue;
    const auto found =
        std::ranges::lower_bound(table.look_alikes, character.entry & kFoldValue, {}, &LookAlike::letter);
    character.entry = fold_entry(FoldClass::letter, found->latin);
  }
}

void unmask_words(const FoldTable& table, std::span<FoldedCharacter> folded) {
  for (auto at = folded.begin(); at != folded.end();) {
    const auto end = std::find_if(at, folded.end(), ends_word);
    unmask(table, {at, end});
    at = end == folded.end() ? end : end + 1;
  }
}

}  // namespace

std::vector<FoldedCharacter> fold_piece(const FoldTable& table, std::string_view piece, std::size_t offset) {
  std::string composed;
  std::vector<ComposedRun> runs;
  compose(piece, composed, runs);
  std::vector<FoldedCharacter> folded;
  for (const ComposedRun& run : runs) {
    for (std::size_t i = run.composed.begin; i < run.composed.end;) {
      const auto* p = reinterpret_cast<const std::uint8_t*>(composed.data() + i);
      const std::size_t length = character_length(*p);
      const std::size_t from = run.original.begin + (i - run.composed.begin);
      const ByteRange place = run.changed ? run.original : ByteRange{from, from + length};
      append_folded(table, decode(p), {offset + place.begin, offset + place.end}, folded);
      i += length;
    }
  }
  unmask_words(table, folded);
  return folded;
}

}  // namespace leitong
