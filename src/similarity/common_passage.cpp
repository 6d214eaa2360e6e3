#include "similarity/common_passage.hpp"

#include <algorithm>
#include <utility>

#include "base/halves.hpp"
#include "feature/shingles.hpp"
#include "similarity/spread.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kPlacesPerShingle = 64;

}  // namespace

PassageAnchors::PassageAnchors(std::span<const std::uint32_t> ordered, std::size_t at_least)
    : ordered_(ordered), positions_(at_least - kShingleUnits + 1) {
  // `least`: the place of the smallest hash of the window that ends at `at`, the last one among equals.
  std::size_t begin = 0, least = 0;  // of the run without kNoShingle
  std::size_t chosen = SIZE_MAX;
  for (std::size_t at = 0; at < ordered.size(); ++at) {
    if (ordered[at] == kNoShingle) {
      begin = at + 1;
      continue;
    }
    if (at == begin || ordered[at] <= ordered[least]) {
      least = at;
    } else if (least + positions_ <= at) {
      least = at - positions_ + 1;
      for (std::size_t i = least + 1; i <= at; ++i)
        if (ordered[i] <= ordered[least]) least = i;
    }
    if (at + 1 - begin < positions_ || least == chosen) continue;
    chosen = least;
    anchors_.push_back(join_halves(ordered[least], static_cast<std::uint32_t>(least)));
  }
  std::sort(anchors_.begin(), anchors_.end());
}

std::size_t PassageAnchors::longest_common(const PassageAnchors& x, const PassageAnchors& y) {
  // What is compared before places run out may depend on who is first, so the texts themselves decide that.
  const bool swap = x.ordered_.size() != y.ordered_.size()
                        ? y.ordered_.size() < x.ordered_.size()
                        : std::ranges::lexicographical_compare(y.ordered_, x.ordered_);
  const PassageAnchors &a = swap ? y : x, &b = swap ? x : y;
  const std::span<const std::uint32_t> in_a = a.ordered_, in_b = b.ordered_;
  std::uint64_t places = kPlacesPerShingle * (in_a.size() + in_b.size());
  std::size_t longest = 0;
  const auto compare_at = [&](std::size_t i, std::size_t j) {
    const auto same = [&](std::size_t m, std::size_t n) {
      return in_a[m] == in_b[n] && in_a[m] != kNoShingle;
    };
    std::size_t before = 0, behind = 1;
    while (before < std::min(i, j) && same(i - before - 1, j - before - 1)) ++before;
    while (i + behind < in_a.size() && j + behind < in_b.size() && same(i + behind, j + behind)) ++behind;
    longest = std::max(longest, before + behind);
    places -= std::min<std::uint64_t>(places, before + behind);
  };
  for (const std::uint64_t *i = a.anchors_.begin(), *j = b.anchors_.begin();
       i != a.anchors_.end() && j != b.anchors_.end() && places > 0;) {
    if (high_half(*i) != high_half(*j)) {
      ++(high_half(*i) < high_half(*j) ? i : j);
      continue;
    }
    const std::uint64_t* end = j;
    while (end != b.anchors_.end() && high_half(*end) == high_half(*i)) ++end;
    for (; i != a.anchors_.end() && high_half(*i) == high_half(*j); ++i)
      for (const std::uint64_t* k = j; k != end && places > 0; ++k) compare_at(low_half(*i), low_half(*k));
    j = end;
  }
  return longest < a.positions_ ? 0 : longest + kShingleUnits - 1;
}

PodVector<std::uint32_t> without_templates(std::span<const std::uint32_t> ordered,
                                           std::span<const std::uint32_t> templates) {
  const HashLookup lookup(templates);
  PodVector<std::uint32_t> own;
  own.append(ordered);
  if (!templates.empty())
    for (std::uint32_t& shingle : own)
      if (lookup.contains(shingle)) shingle = PassageAnchors::kNoShingle;
  return own;
}

}  // namespace leitong
