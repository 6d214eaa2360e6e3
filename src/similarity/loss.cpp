#include "similarity/loss.hpp"

#include <algorithm>
#include <limits>

#include "feature/shingles.hpp"
#include "similarity/edit.hpp"
#include "similarity/spread.hpp"

namespace leitong {
namespace {

// All figures were chosen on labelled corpora (docs/methods.md).
constexpr std::uint64_t kMostCells = 400'000;  // of the table of one gap
constexpr double kLeastLikeness = .34;         // of what stands in a gap on both sides
constexpr std::uint32_t kShortGap = 4;         // units from which it is asked for
// Shingles that are looked at on either side of a run for one that stands once in the other text.
constexpr std::uint32_t kReach = 512;
constexpr auto kUnits = static_cast<std::uint32_t>(kShingleUnits);

std::uint32_t size_of(const LossText& text) { return static_cast<std::uint32_t>(text.units.size()); }

// Calls each(unit) for every unit that a shingle covers of which is_wanted(hash) says so.
template <class IsWanted, class Each>
void for_covered(std::span<const std::uint32_t> shingles, std::size_t units, IsWanted is_wanted, Each each) {
  std::size_t end = 0;  // of what was covered
  for (std::size_t i = 0; i < shingles.size(); ++i) {
    if (!is_wanted(shingles[i])) continue;
    for (std::size_t at = std::max(end, i); at < std::min(i + kShingleUnits, units); ++at) each(at);
    end = i + kShingleUnits;
  }
}

bool alike_enough(std::size_t distance, std::size_t length) {
  return length <= kShortGap ||
         1 - static_cast<double>(distance) / static_cast<double>(length) >= kLeastLikeness;
}

}  // namespace

void mark_template_units(std::span<const std::uint32_t> shingles, std::span<const std::uint32_t> templates,
                         std::size_t units, PodVector<std::uint8_t>& in_template) {
  in_template.clear();
  if (templates.empty()) return;
  in_template.resize(units, 0);
  const HashLookup lookup(templates);
  for_covered(
      shingles, units, [&](std::uint32_t shingle) { return lookup.contains(shingle); },
      [&](std::size_t unit) { in_template[unit] = 1; });
}

void LossFinder::cover(const LossText& text, const ShinglePlaces& places) {
  state_.assign(text.units.size(), State::lost);
  for (std::size_t i = 0; i < text.in_template.size(); ++i)
    if (text.in_template[i] != 0) state_[i] = State::no_text;
  for_covered(
      text.shingles, text.units.size(), [&](std::uint32_t shingle) { return places.contains(shingle); },
      [&](std::size_t unit) { state_[unit] = State::there; });
}

// Between what stands the run, here and there? False if there is no place for it in the other text.
bool LossFinder::find_gap(const LossText& text, const LossText& other, const ShinglePlaces& places,
                          std::uint32_t begin, std::uint32_t end, Gap& gap) const {
  const auto n = size_of(text), m = size_of(other);
  const auto is_anchor = [&](std::uint32_t place) { return place < ShinglePlaces::kSeveral; };
  gap = {0, n, 0, m};
  const std::uint32_t before = begin < kUnits ? 0 : begin - kUnits + 1;  // shingles that end before the run
  for (std::uint32_t i = before; i > 0; --i) {
    if (before - i >= kReach) return false;
    const std::uint32_t place = places.of(text.shingles[i - 1]);
    if (!is_anchor(place)) continue;
    gap.begin = i - 1 + kUnits;
    gap.other_begin = place + kUnits;
    break;
  }
  while (gap.begin < begin && gap.other_begin < m &&
         text.units[gap.begin] == other.units[gap.other_begin])
    ++gap.begin, ++gap.other_begin;
  const auto cells = [&](std::uint32_t at, std::uint32_t place) {
    return std::uint64_t{at - gap.begin} * (place - gap.other_begin);
  };
  for (std::uint32_t i = end;; ++i) {
    if (i - end >= kReach) return false;
    if (i + kUnits > n) {  // to the ends of both
      if (m < gap.other_begin) return false;
      break;
    }
    const std::uint32_t place = places.of(text.shingles[i]);
    // What was moved elsewhere is no end of a gap.
    if (!is_anchor(place) || place < gap.other_begin || cells(i, place) > kMostCells) continue;
    gap.end = i;
    gap.other_end = place;
    break;
  }
  while (gap.end > end && gap.other_end > gap.other_begin &&
         text.units[gap.end - 1] == other.units[gap.other_end - 1])
    --gap.end, --gap.other_end;
  return gap.other_end > gap.other_begin && cells(gap.end, gap.other_end) <= kMostCells;
}

// Levenshtein's table within the diagonals that the distance leaves, from its end back to the beginning.
void LossFinder::align(const LossText& text, const LossText& other, const Gap& gap) {
  const auto a = text.units.subspan(gap.begin, gap.end - gap.begin);
  const auto b = other.units.subspan(gap.other_begin, gap.other_end - gap.other_begin);
  const std::size_t n = a.size(), m = b.size(), length = std::max(n, m);
  const auto most = length <= kShortGap ? length
                                        : static_cast<std::size_t>((1 - kLeastLikeness) *
                                                                   static_cast<double>(length));
  const auto distance = edit_distance(a, b, most);
  if (!distance || !alike_enough(*distance, length)) return;
  const std::size_t d = *distance, width = m + 1;
  constexpr auto kFar = std::numeric_limits<std::uint16_t>::max() / 2;
  table_.resize_for_overwrite((n + 1) * width);
  const auto cell = [&](std::size_t i, std::size_t j) -> std::uint16_t& { return table_[i * width + j]; };
  const auto low = [&](std::size_t i) { return i > d ? i - d : 0; };
  const auto high = [&](std::size_t i) { return std::min(i + d, m); };
  for (std::size_t j = 0; j <= high(0); ++j) cell(0, j) = static_cast<std::uint16_t>(j);
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t j = low(i); j <= high(i); ++j) {
      const int above = j <= high(i - 1) ? cell(i - 1, j) : kFar;
      const int beside = j > low(i) ? cell(i, j - 1) : kFar;
      const int across = j > 0 && j - 1 >= low(i - 1) ? cell(i - 1, j - 1) + (a[i - 1] != b[j - 1]) : kFar;
      cell(i, j) = static_cast<std::uint16_t>(std::min({above + 1, beside + 1, across, int{kFar}}));
    }
  }
  const auto in_band = [&](std::size_t i, std::size_t j) { return j >= low(i) && j <= high(i); };
  std::size_t i = n, j = m;
  const auto pass = [&](bool is_there) {
    State& state = state_[gap.begin + --i];
    if (state == State::lost) state = is_there ? State::there : State::reworded;
  };
  while (i > 0 && j > 0) {
    const int here = cell(i, j), across = in_band(i - 1, j - 1) ? cell(i - 1, j - 1) : kFar;
    if (a[i - 1] == b[j - 1] && here == across) {
      const std::size_t there = gap.other_begin + --j;
      if (there < title_there_.size()) title_there_[there] = true;
      pass(true);
    } else if (here == across + 1) {
      --j;
      pass(false);
    } else if (in_band(i - 1, j) && here == cell(i - 1, j) + 1) {
      pass(false);
    } else {
      --j;
    }
  }
  while (i > 0) pass(false);
}

Loss LossFinder::count(const LossText& text) const {
  Loss loss;
  const std::size_t n = state_.size();
  const auto templates = static_cast<std::size_t>(std::ranges::count(text.in_template, std::uint8_t{1}));
  loss.own = std::max({static_cast<std::uint32_t>(n - templates), static_cast<std::uint32_t>((n + 9) / 10),
                       std::uint32_t{1}});
  std::uint32_t stretch = 0;
  for (std::uint32_t i = 0; i <= n; ++i) {
    if (i < n && state_[i] == State::lost) {
      ++stretch;
      continue;
    }
    if (i < n) loss.reworded += state_[i] == State::reworded;
    loss.lost += stretch;
    if (stretch >= kLongStretch) loss.in_stretches += stretch;
    if (stretch > loss.longest) {
      loss.longest = stretch;
      loss.longest_at = i - stretch;
    }
    stretch = 0;
  }
  return loss;
}

LossFound LossFinder::find(const LossText& text, const LossText& other, const ShinglePlaces& places) {
  const std::uint32_t n = size_of(text);
  cover(text, places);
  names_.clear();
  title_there_.assign(std::min<std::size_t>(kTitleUnits, other.units.size()), false);
  const auto is_open = [&](std::uint32_t i) { return state_[i] == State::lost; };
  std::uint32_t aligned = 0;  // up to here gaps were looked at
  for (std::uint32_t begin = 0; begin < n; ++begin) {
    if (!is_open(begin)) continue;
    std::uint32_t end = begin + 1;
    while (end < n && is_open(end)) ++end;
    if (Gap gap; begin >= aligned && find_gap(text, other, places, begin, end, gap)) {
      align(text, other, gap);
      names_.add(text.units, other.units, gap.begin, gap.end, gap.other_begin, gap.other_end);
      aligned = std::max(aligned, gap.end);
    }
    begin = end - 1;
  }
  LossFound found;
  found.loss = count(text);
  found.name_changes = names_.most(text.units, other.units);
  if (found.name_changes == 0) return found;

  // Where do the titles differ? In the other text a shingle counts that stands anywhere in this one.
  const auto first_of = [](std::uint32_t most, auto is_lacking) {
    for (std::uint32_t i = 0; i < most; ++i)
      if (is_lacking(i)) return i;
    return UINT32_MAX;
  };
  found.first_lacking = first_of(std::min(n, kTitleUnits), [&](std::uint32_t i) {
    return state_[i] == State::lost || state_[i] == State::reworded || state_[i] == State::no_text;
  });
  const auto beginning = other.shingles.first(std::min<std::size_t>(kTitleUnits, other.shingles.size()));
  const ShinglePlaces wanted(beginning);
  std::vector<bool> shared(beginning.size());
  for (const std::uint32_t shingle : text.shingles) {
    if (!wanted.contains(shingle)) continue;
    for (std::size_t i = 0; i < beginning.size(); ++i)
      if (beginning[i] == shingle) shared[i] = true;
  }
  for (std::size_t i = 0; i < beginning.size(); ++i)
    for (std::size_t at = i; shared[i] && at < std::min(i + kShingleUnits, title_there_.size()); ++at)
      title_there_[at] = true;
  found.first_lacking_other = first_of(static_cast<std::uint32_t>(title_there_.size()),
                                       [&](std::uint32_t i) { return !title_there_[i]; });
  return found;
}

}  // namespace leitong
