// Items by the share of their shingles.
#include <algorithm>
#include <array>

#include "base/halves.hpp"
#include "leaks/best_window.hpp"
#include "leaks/item_finder.hpp"
#include "leaks/item_shape.hpp"
#include "leaks/item_texts.hpp"
#include "leaks/masked_units.hpp"
#include "leaks/seed_choice.hpp"
#include "leaks/seed_table.hpp"
#include "text/unit_place.hpp"

namespace leitong {
namespace {

// Shares are fractions of small numbers; a share that is asked for must not be missed by rounding.
constexpr double kRounding = 1e-9;
constexpr std::uint32_t kCounters = 1 << 12;

class ShareFinder final : public ItemFinder {
 public:
  explicit ShareFinder(std::optional<double> share) : share_(share) {}

  std::optional<std::uint32_t> add(std::string_view text) override;
  void build() override;
  std::unique_ptr<Workspace> new_workspace() const override { return std::make_unique<Space>(); }
  void find(std::string_view text, Workspace& workspace, std::vector<FoundItem>& found) const override;

 private:
  struct Space final : Workspace {
    MaskedUnits document;
    PodVector<std::uint32_t> hashes;  // of each run of the document
    PodVector<std::uint64_t> hits;    // item and place, ascending
    PodVector<std::uint8_t> needed;   // Item::needed of each hit, 255 at most
    ShinglesOf shingles_of;           // the document
    bool has_shingles_of = false;     // set for this document
    // Hits of the items whose numbers have these low bits, 255 at most.
    std::array<std::uint8_t, kCounters> counters{};
    ItemShingles shingles;
    struct Candidate {
      std::uint32_t item;
      std::span<const std::uint64_t> hits;
    };
    std::vector<Candidate> candidates;
  };
  /// All that is read of an item that is hit stands in one place.
  struct Item {
    std::span<const Unit> parts;  // set by build()
    std::uint32_t window = 0;
    std::uint32_t least = 0;   // shingles that must be found
    std::uint32_t needed = 0;  // seeds
    bool only_equal = false;   // too few of its shingles have no number
  };
  /// Drops hits of items that have less than they need: most of them stand alone, by chance.
  static void drop_single_hits(Space& space);
  /// Fills Space::candidates: the items of the document's hits that have as many as they need.
  void choose_candidates(Space& space) const;
  /// The item of hits that are all of one item, if it is there.
  std::optional<FoundItem> look_at(std::uint32_t item, std::span<const std::uint64_t> hits,
                                   std::string_view text, Space& space) const;

  std::optional<double> share_;
  ItemTexts texts_;  // units, and the number of the parts
  ItemTexts parts_;  // the parts of each text
  std::vector<Item> items_;
  SeedTable seeds_;
};

std::optional<std::uint32_t> ShareFinder::add(std::string_view text) {
  ItemShape shape;
  to_item_shape(text, shape);
  if (!is_long_enough(shape)) return std::nullopt;
  const auto [parts, is_new_parts] = parts_.add(shape.parts);
  // Texts of the same units may be cut in different places; an item is both.
  PodVector<Unit> both;
  both.append(shape.units);
  both.push_back(parts);
  const auto [item, is_new] = texts_.add(both);
  if (!is_new) return item;
  const double share = share_.value_or(share_for(shape.shingles));
  std::uint32_t least = 1;
  while (least < shape.shingles && least < share * shape.shingles - kRounding) ++least;
  items_.push_back({.window = shape.window, .least = least, .only_equal = shape.worded < kLeastWorded});
  return item;
}

void ShareFinder::build() {
  for (std::uint32_t item = 0; item < items_.size(); ++item) items_[item].parts = parts_[texts_[item].back()];
  PodVector<std::uint32_t> hashes;
  const auto for_each_run = [&](std::uint32_t item, const auto& each) {
    const std::span<const Unit> parts = items_[item].parts;
    seed_hashes(parts, hashes);
    std::size_t in_row = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      in_row = parts[i] == kBreakUnit ? 0 : in_row + 1;
      if (in_row < kSeedUnits) continue;
      const std::size_t place = i + 1 - kSeedUnits;
      each(static_cast<std::uint32_t>(place), hashes[place]);
    }
  };
  RunHolders holders;
  for (std::uint32_t item = 0; item < items_.size(); ++item)
    for_each_run(item, [&](std::uint32_t, std::uint32_t hash) { holders.add(hash, item); });
  holders.build();
  std::vector<std::uint32_t> places, counts;
  for (std::uint32_t item = 0; item < items_.size(); ++item) {
    places.clear();
    counts.clear();
    for_each_run(item, [&](std::uint32_t place, std::uint32_t hash) {
      places.push_back(place);
      counts.push_back(holders.of(hash));
    });
    const std::vector<std::uint32_t> chosen = choose_seeds(places, counts);
    items_[item].needed = static_cast<std::uint32_t>(seeds_needed(chosen.size()));
    for (const std::uint32_t place : chosen) seeds_.add(hashes[place], {item, items_[item].needed});
  }
  seeds_.build();
}

void ShareFinder::drop_single_hits(Space& space) {
  const auto counter = [&](std::uint64_t hit) -> std::uint8_t& {
    return space.counters[high_half(hit) % kCounters];
  };
  for (const std::uint64_t hit : space.hits)
    if (std::uint8_t& count = counter(hit); count < UINT8_MAX) ++count;
  std::size_t size = 0;
  for (std::size_t i = 0; i < space.hits.size(); ++i) {
    const std::uint64_t hit = space.hits[i];
    space.hits[size] = hit;
    size += counter(hit) >= space.needed[i] ? 1 : 0;
  }
  space.counters.fill(0);
  space.hits.resize_for_overwrite(size);
}

void ShareFinder::choose_candidates(Space& space) const {
  space.candidates.clear();
  // Few items are in the caches: each is fetched while others are looked at.
  for (const std::uint64_t hit : space.hits) __builtin_prefetch(items_.data() + high_half(hit));
  std::sort(space.hits.begin(), space.hits.end());
  for (std::size_t i = 0; i < space.hits.size();) {
    const std::uint32_t item = high_half(space.hits[i]);
    std::size_t end = i;
    while (end < space.hits.size() && high_half(space.hits[end]) == item) ++end;
    if (end - i >= items_[item].needed) {
      __builtin_prefetch(items_[item].parts.data());
      space.candidates.push_back({item, {space.hits.data() + i, end - i}});
    }
    i = end;
  }
}

void ShareFinder::find(std::string_view text, Workspace& workspace, std::vector<FoundItem>& found) const {
  auto& space = static_cast<Space&>(workspace);
  found.clear();
  space.hits.clear();
  space.needed.clear();
  space.has_shingles_of = false;
  to_masked_units(text, space.document);
  seed_hashes(space.document.masked, space.hashes);
  seeds_.find_all(space.hashes, [&](std::uint32_t place, const SeedTable::Seed& seed) {
    space.hits.push_back(join_halves(seed.of.item, place));
    space.needed.push_back(static_cast<std::uint8_t>(std::min<std::uint32_t>(seed.of.detail, UINT8_MAX)));
  });
  drop_single_hits(space);
  choose_candidates(space);
  for (const Space::Candidate& candidate : space.candidates)
    if (const auto one = look_at(candidate.item, candidate.hits, text, space)) found.push_back(*one);
}

std::optional<FoundItem> ShareFinder::look_at(std::uint32_t number, std::span<const std::uint64_t> hits,
                                              std::string_view text, Space& space) const {
  const Item& item = items_[number];
  const std::span<const Unit> masked = space.document.masked;
  Window best;
  bool equal = false;
  std::size_t begin = 0, end = 0;  // of the passage, in units
  bool is_set = false;
  for (std::size_t i = 0; i + item.needed <= hits.size() && !equal; ++i) {
    const std::size_t first = low_half(hits[i]), last = low_half(hits[i + item.needed - 1]);
    if (last - first > item.window) continue;
    // What is near enough to be looked at together.
    std::size_t to = last;
    while (i + item.needed < hits.size() &&
           low_half(hits[i + item.needed]) - to <= std::size_t{2} * item.window)
      to = low_half(hits[++i + item.needed - 1]);
    const std::size_t from = first - std::min<std::size_t>(first, item.window);
    to = std::min(masked.size(), to + kSeedUnits + item.window);
    if (!is_set) {
      // Few items have enough in the whole document.
      if (!space.has_shingles_of) space.shingles_of.set(masked);
      space.has_shingles_of = true;
      if (space.shingles_of.count(item.parts) < item.least) return std::nullopt;
      space.shingles.set(item.parts);
      is_set = true;
    }
    const Window window = space.shingles.best(masked, from, to, item.window);
    if (window.shingles < item.least || window.shingles == 0) continue;
    if (window.shingles > best.shingles) {
      best = window;
      begin = space.document.origin[window.begin];
      end = space.document.origin[window.end];
    }
    if (window.shingles < space.shingles.size()) continue;
    const std::span<const Unit> whole = texts_[number].first(texts_[number].size() - 1);
    const Unit* const units = space.document.units.data();
    const Unit* const range_end = units + space.document.origin[to];
    const Unit* const run =
        std::search(units + space.document.origin[from], range_end, whole.begin(), whole.end());
    if (run == range_end) continue;
    equal = true;
    best = window;
    begin = static_cast<std::size_t>(run - units);
    end = begin + whole.size();
  }
  if (best.shingles == 0 || (item.only_equal && !equal)) return std::nullopt;
  return FoundItem{.item = number,
                   .share = static_cast<float>(best.shingles) / static_cast<float>(space.shingles.size()),
                   .equal = equal,
                   .place = place_of_units(text, begin, end)};
}

}  // namespace

std::unique_ptr<ItemFinder> make_share_finder(std::optional<double> share) {
  return std::make_unique<ShareFinder>(share);
}

}  // namespace leitong
