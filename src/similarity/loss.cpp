#include "similarity/loss.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "feature/shingles.hpp"
#include "similarity/spread.hpp"

namespace leitong {
namespace {

// All figures were chosen on labelled corpora (docs/methods.md).
constexpr std::uint64_t kMostCells = 400'000;  // the largest alignment table of one gap
constexpr double kLeastLikeness = .34;         // the least similarity of the two sides of a gap
constexpr std::uint32_t kShortGap = 4;         // longer gaps must have the least similarity
constexpr std::size_t kFewCells = 64;
// How many shingles are examined on either side of a run to find one that occurs once in the other text.
constexpr std::uint32_t kReach = 512;
constexpr auto kUnits = static_cast<std::uint32_t>(kShingleUnits);

std::uint32_t size_of(const LossText& text) { return static_cast<std::uint32_t>(text.units.size()); }

// The number of hashes at the beginning that both have in common.
std::size_t common_prefix(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  constexpr std::size_t kBlock = 8;
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t i = 0;
  while (i + kBlock <= most && std::memcmp(&a[i], &b[i], kBlock * sizeof(a[0])) == 0) i += kBlock;
  while (i < most && a[i] == b[i]) ++i;
  return i;
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
  std::size_t end = 0;  // end of the units that were marked
  for (std::size_t i = 0; i < shingles.size(); ++i) {
    if (!lookup.contains(shingles[i])) continue;
    for (std::size_t at = std::max(end, i); at < std::min(i + kShingleUnits, units); ++at)
      in_template[at] = 1;
    end = i + kShingleUnits;
  }
}

std::uint32_t own_units(std::size_t units, std::span<const std::uint8_t> in_template) noexcept {
  const auto templates = static_cast<std::size_t>(std::ranges::count(in_template, std::uint8_t{1}));
  return static_cast<std::uint32_t>(std::max({units - templates, (units + 9) / 10, std::size_t{1}}));
}

Loss loss_of(const LossFound& found, std::string_view text, std::string_view other, const Folding& folding) {
  Loss loss = found.loss;
  const auto in_title = [&](std::uint32_t unit, std::string_view whole) {
    return unit < kTitleUnits && unit < title_units(whole, folding);
  };
  loss.renamed = in_title(found.first_lacking, text) || in_title(found.first_lacking_other, other);
  return loss;
}

void LossFinder::cover(const LossText& text, const ShinglePlaces& places) {
  const std::uint32_t n = size_of(text);
  const std::span<const std::uint32_t> here = text.shingles, there = places.in_order();
  runs_.clear();
  stretches_.clear();
  anchor_ = 0;
  searched_ = 0;
  std::uint32_t covered = 0;  // all units before it are covered or in a run
  // If one text may leave for the other, the two are mostly equal in the same order, so the next shingle is
  // tried first.
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < here.size();) {
    if (next >= there.size() || here[i] != there[next]) {
      const std::uint32_t place = places.first_of(here[i]);
      if (place == ShinglePlaces::kNowhere) {
        ++i;
        ++next;
        continue;
      }
      next = place;
    }
    const auto same = static_cast<std::uint32_t>(common_prefix(here.subspan(i), there.subspan(next)));
    if (i > covered) runs_.push_back({covered, i, stretches_.size()});
    stretches_.push_back({i, i + same, next});
    i += same;
    next += same;
    covered = std::min(i + kUnits - 1, n);
  }
  if (covered < n) runs_.push_back({covered, n, stretches_.size()});
  state_.assign(n, State::there);
  for (const Run& run : runs_) {
    if (text.in_template.empty())
      std::fill(state_.begin() + run.begin, state_.begin() + run.end, State::lost);
    else
      for (std::uint32_t i = run.begin; i < run.end; ++i)
        state_[i] = text.in_template[i] != 0 ? State::no_text : State::lost;
  }
}

// Finds the gaps in both texts that surround the run. Returns false if the other text has no corresponding
// gap.
bool LossFinder::find_gap(const LossText& text, const LossText& other, const ShinglePlaces& places,
                          const Run& run, Gap& gap) {
  const auto [begin, end, following] = run;
  const auto n = size_of(text), m = size_of(other);
  gap = {0, n, 0, m};
  // A gap begins behind the last shingle before the run that occurs once in the other text.
  bool found = false;
  for (std::size_t s = following; s > searched_ && !found; --s) {
    const Stretch& stretch = stretches_[s - 1];
    for (std::uint32_t i = stretch.end; i > stretch.begin && !found; --i) {
      const std::uint32_t place = stretch.place + (i - 1 - stretch.begin);
      if (!places.is_single(place)) continue;
      found = true;
      anchor_ = i;
      anchor_place_ = place;
    }
  }
  searched_ = following;
  const std::uint32_t before = begin < kUnits ? 0 : begin - kUnits + 1;  // shingles that end before the run
  if (before - anchor_ >= kReach + (anchor_ == 0 ? 1 : 0)) return false;
  if (anchor_ > 0) {
    gap.begin = anchor_ - 1 + kUnits;
    gap.other_begin = anchor_place_ + kUnits;
  }
  while (gap.begin < begin && gap.other_begin < m && text.units[gap.begin] == other.units[gap.other_begin])
    ++gap.begin, ++gap.other_begin;
  const auto cells = [&](std::uint32_t at, std::uint32_t place) {
    return std::uint64_t{at - gap.begin} * (place - gap.other_begin);
  };
  // The gap ends before the first such shingle after the run. A shingle that was moved elsewhere does not end
  // it. Within a stretch, places rise and cells grow.
  found = false;
  for (std::size_t s = following; s < stretches_.size() && !found; ++s) {
    const Stretch& stretch = stretches_[s];
    if (stretch.begin - end >= kReach) return false;
    const std::uint32_t moved = gap.other_begin - std::min(gap.other_begin, stretch.place);
    for (std::uint32_t i = stretch.begin + moved, place = stretch.place + moved;
         i < stretch.end && cells(i, place) <= kMostCells && !found; ++i, ++place) {
      if (i - end >= kReach) return false;
      if (!places.is_single(place)) continue;
      found = true;
      gap.end = i;
      gap.other_end = place;
    }
  }
  if (!found) {  // the gap reaches to the ends of both texts
    const auto last = std::max(end, static_cast<std::uint32_t>(text.shingles.size()));
    if (last - end >= kReach || m < gap.other_begin) return false;
  }
  while (gap.end > end && gap.other_end > gap.other_begin &&
         text.units[gap.end - 1] == other.units[gap.other_end - 1])
    --gap.end, --gap.other_end;
  return gap.other_end > gap.other_begin && cells(gap.end, gap.other_end) <= kMostCells;
}

// Finds the fewest edits, and follows them from the end to the beginning.
void LossFinder::align(const LossText& text, const LossText& other, const Gap& gap) {
  const auto a = text.units.subspan(gap.begin, gap.end - gap.begin);
  const auto b = other.units.subspan(gap.other_begin, gap.other_end - gap.other_begin);
  const std::size_t n = a.size(), m = b.size(), length = std::max(n, m);
  const auto most = length <= kShortGap
                        ? length
                        : static_cast<std::size_t>((1 - kLeastLikeness) * static_cast<double>(length));
  // To compute only the distance takes less time than the path, so the distance is computed first if there
  // are more than a few cells.
  std::optional<std::size_t> distance;
  if (n * m <= kFewCells || edit_distance(a, b, most)) distance = path_.find(a, b, most);
  if (!distance || !alike_enough(*distance, length)) {
    names_.add(text.units, other.units, gap.begin, gap.end, gap.other_begin, gap.other_end);
    return;
  }
  std::size_t i = n, j = m, end = n, other_end = m;  // `end` and `other_end` are where equal units follow
  const auto end_change = [&] {
    const auto at = [](std::uint32_t begin, std::size_t more) {
      return begin + static_cast<std::uint32_t>(more);
    };
    names_.add(text.units, other.units, at(gap.begin, i), at(gap.begin, end), at(gap.other_begin, j),
               at(gap.other_begin, other_end));
  };
  const auto pass = [&](bool is_there) {
    state_[gap.begin + --i] = is_there ? State::there : State::reworded;
    reworded_ += !is_there;
  };
  while (i > 0 && j > 0) {
    switch (path_.last(i, j)) {
      case EditPath::Step::equal:
        end_change();
        end = i - 1, other_end = j - 1;
        if (const std::size_t there = gap.other_begin + --j; there < title_there_.size())
          title_there_[there] = true;
        pass(true);
        break;
      case EditPath::Step::replace:
        --j;
        pass(false);
        break;
      case EditPath::Step::remove:
        pass(false);
        break;
      case EditPath::Step::add:
        --j;
    }
  }
  while (i > 0) pass(false);
  j = 0;
  end_change();
}

Loss LossFinder::count(const LossText& text) const {
  Loss loss{.own = text.own, .reworded = reworded_};
  for (const Run& run : runs_) {
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
      const std::uint32_t from = i;
      while (i < run.end && state_[i] == State::lost) ++i;
      const std::uint32_t stretch = i - from;
      if (stretch == 0) continue;
      loss.lost += stretch;
      if (stretch >= kLongStretch) loss.in_stretches += stretch;
      if (stretch > loss.longest) {
        loss.longest = stretch;
        loss.longest_at = from;
      }
      --i;  // the unit that ended the stretch is examined next
    }
  }
  return loss;
}

LossFound LossFinder::find(const LossText& text, const LossText& other, const ShinglePlaces& places) {
  const std::uint32_t n = size_of(text);
  cover(text, places);
  names_.clear();
  reworded_ = 0;
  title_there_.assign(std::min<std::size_t>(kTitleUnits, other.units.size()), false);
  std::uint32_t aligned = 0;  // all gaps before it were aligned
  for (const Run& run : runs_) {
    // Text that is template in this text is no loss, but a name may change in it.
    Gap gap;
    if (run.begin < aligned || !find_gap(text, other, places, run, gap)) continue;
    align(text, other, gap);
    aligned = std::max(aligned, gap.end);
  }
  LossFound found;
  found.loss = count(text);
  found.loss.numbers = names_.numbers();
  found.name_changes = names_.most(text.units, other.units);
  if (found.name_changes == 0) return found;

  // Finds where the titles differ. A shingle of the other text counts as common if it occurs anywhere in this
  // text.
  const auto first_of = [](std::uint32_t most, auto is_lacking) {
    for (std::uint32_t i = 0; i < most; ++i)
      if (is_lacking(i)) return i;
    return UINT32_MAX;
  };
  found.first_lacking =
      first_of(std::min(n, kTitleUnits), [&](std::uint32_t i) { return state_[i] != State::there; });
  const auto beginning = other.shingles.first(std::min<std::size_t>(kTitleUnits, other.shingles.size()));
  std::array<bool, kTitleUnits> common{};
  for (const auto& [begin, end, place] : stretches_)
    for (std::uint32_t i = 0; i < end - begin && place + i < beginning.size(); ++i) common[place + i] = true;
  for (std::uint32_t i = 0; i < beginning.size(); ++i) {
    // If a shingle occurs several times in the other text, its stretch may be at another one of its places.
    if (!common[i] &&
        (places.is_single(i) || std::ranges::find(text.shingles, beginning[i]) == text.shingles.end()))
      continue;
    for (std::size_t at = i; at < std::min(i + kShingleUnits, title_there_.size()); ++at)
      title_there_[at] = true;
  }
  found.first_lacking_other = first_of(static_cast<std::uint32_t>(title_there_.size()),
                                       [&](std::uint32_t i) { return !title_there_[i]; });
  return found;
}

std::vector<LostStretch> LossFinder::stretches() const {
  std::vector<LostStretch> stretches;
  for (std::uint32_t i = 0; i < state_.size(); ++i) {
    if (state_[i] != State::lost && state_[i] != State::reworded) continue;
    const bool goes_on = i > 0 && state_[i] == state_[i - 1];
    if (!goes_on) stretches.push_back({i, i, state_[i] == State::reworded});
    stretches.back().end = i + 1;
  }
  return stretches;
}

}  // namespace leitong
