// Items by runs of words.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "base/halves.hpp"
#include "leaks/item_finder.hpp"
#include "leaks/item_texts.hpp"
#include "leaks/seed_table.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

/// The words of a text as numbers, with their places. A Han character, kana or hangul syllable is a word.
struct NumberedWords {
  PodVector<Unit> words;
  std::vector<ByteRange> places;
};

void to_words(std::string_view text, PodVector<Unit>& units, std::vector<ByteRange>& unit_places,
              NumberedWords& out) {
  to_units_with_places(text, units, unit_places);
  out.words.clear();
  out.places.clear();
  const auto is_pair = [&](std::size_t i) { return (units[i] & 0x80000000U) != 0; };
  for (std::size_t i = 0; i < units.size();) {
    std::size_t end = i + 1;
    // Nothing lies between the units of a word.
    while (end < units.size() && is_pair(i) && is_pair(end) &&
           unit_places[end].begin <= unit_places[end - 1].end)
      ++end;
    out.words.push_back(end == i + 1
                            ? units[i]
                            : static_cast<Unit>(XXH3_64bits(units.data() + i, (end - i) * sizeof(Unit))) |
                                  0x80000000U);
    out.places.push_back({unit_places[i].begin, unit_places[end - 1].end});
    i = end;
  }
}

class NgramFinder final : public ItemFinder {
 public:
  explicit NgramFinder(std::uint32_t words) : words_(words) {}

  std::optional<std::uint32_t> add(std::string_view text) override {
    PodVector<Unit> units;
    std::vector<ByteRange> places;
    NumberedWords words;
    to_words(text, units, places, words);
    if (words.words.size() < words_) return std::nullopt;
    return texts_.add(words.words).first;
  }
  void build() override {
    for (std::uint32_t item = 0; item < texts_.size(); ++item) {
      const std::span<const Unit> words = texts_[item];
      for (std::size_t i = 0; i + words_ <= words.size(); ++i)
        table_.add(hash_of(words.data() + i), {item, static_cast<std::uint32_t>(i)});
    }
    table_.build();
  }
  std::unique_ptr<Workspace> new_workspace() const override { return std::make_unique<Space>(); }
  void find(std::string_view text, Workspace& workspace, std::vector<FoundItem>& found) const override;

 private:
  struct Space final : Workspace {
    PodVector<Unit> units;
    std::vector<ByteRange> places;
    NumberedWords words;
    PodVector<std::uint32_t> hashes;  // of each run of the document
    struct Hit {
      std::uint32_t item, at, position;  // in the document, in the item
    };
    std::vector<Hit> hits;
    std::vector<std::uint32_t> positions;
  };
  [[nodiscard]] std::uint32_t hash_of(const Unit* words) const {
    return static_cast<std::uint32_t>(XXH3_64bits(words, words_ * sizeof(Unit)) >> 32);
  }

  std::uint32_t words_;
  ItemTexts texts_;
  SeedTable table_;
};

void NgramFinder::find(std::string_view text, Workspace& workspace, std::vector<FoundItem>& found) const {
  auto& space = static_cast<Space&>(workspace);
  found.clear();
  space.hits.clear();
  to_words(text, space.units, space.places, space.words);
  const PodVector<Unit>& words = space.words.words;
  space.hashes.clear();
  for (std::size_t i = 0; i + words_ <= words.size(); ++i) space.hashes.push_back(hash_of(words.data() + i));
  table_.find_all(space.hashes, [&](std::uint32_t i, const SeedTable::Seed& seed) {
    const std::span<const Unit> item = texts_[seed.of.item];
    if (std::equal(words.data() + i, words.data() + i + words_, item.begin() + seed.of.detail))
      space.hits.push_back({seed.of.item, i, seed.of.detail});
  });
  std::ranges::stable_sort(space.hits, {}, &Space::Hit::item);
  for (std::size_t i = 0; i < space.hits.size();) {
    const std::uint32_t item = space.hits[i].item;
    space.positions.clear();
    std::size_t begin = 0, longest = 0;  // of the longest run of the document, in words
    std::size_t run = space.hits[i].at, last = run;
    std::size_t k = i;
    for (; k < space.hits.size() && space.hits[k].item == item; ++k) {
      space.positions.push_back(space.hits[k].position);
      if (space.hits[k].at > last + 1) run = space.hits[k].at;
      last = space.hits[k].at;
      if (last + words_ - run > longest) begin = run, longest = last + words_ - run;
    }
    std::ranges::sort(space.positions);
    space.positions.erase(std::unique(space.positions.begin(), space.positions.end()), space.positions.end());
    const std::size_t all = texts_[item].size() - words_ + 1;
    const auto whole = texts_[item];
    found.push_back(
        {.item = item,
         .share = static_cast<float>(space.positions.size()) / static_cast<float>(all),
         .equal = std::search(words.begin() + begin, words.begin() + begin + longest, whole.begin(),
                              whole.end()) != words.begin() + begin + longest,
         .place = {space.words.places[begin].begin, space.words.places[begin + longest - 1].end}});
    i = k;
  }
}

}  // namespace

std::unique_ptr<ItemFinder> make_ngram_finder(std::uint32_t words) {
  return std::make_unique<NgramFinder>(words);
}

}  // namespace leitong
