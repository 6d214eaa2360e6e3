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

PassageAnchors::PassageAnchors(std::span<const std::uint32_t> ordered, std::size_t at_least,
                               std::span<const std::uint32_t> templates)
    : ordered_(ordered), is_anchor_(ordered.size()), positions_(at_least - kShingleUnits + 1) {
  // The place of the smallest hash of the window that ends at `at`, and of equal hashes the last one.
  std::size_t least = 0;
  for (std::size_t at = 0; at < ordered.size(); ++at) {
    if (ordered[at] <= ordered[least]) {
      least = at;
    } else if (least + positions_ <= at) {
      least = at - positions_ + 1;
      for (std::size_t i = least + 1; i <= at; ++i)
        if (ordered[i] <= ordered[least]) least = i;
    }
    if (at + 1 < positions_ || is_anchor_[least]) continue;
    is_anchor_[least] = true;
    anchors_.push_back(join_halves(ordered[least], static_cast<std::uint32_t>(least)));
  }
  std::sort(anchors_.begin(), anchors_.end());
  if (templates.empty()) return;
  const HashLookup lookup(templates);
  is_template_.reserve(ordered.size());
  for (const std::uint32_t shingle : ordered) is_template_.push_back(lookup.contains(shingle));
}

std::size_t PassageAnchors::longest_common(const PassageAnchors& x, const PassageAnchors& y) {
  // The places that are compared before the limit is reached may depend on the order of the two texts, so
  // their order is made to depend only on the texts.
  const bool swap = x.ordered_.size() != y.ordered_.size()
                        ? y.ordered_.size() < x.ordered_.size()
                        : std::ranges::lexicographical_compare(y.ordered_, x.ordered_);
  const PassageAnchors &a = swap ? y : x, &b = swap ? x : y;
  const std::span<const std::uint32_t> in_a = a.ordered_, in_b = b.ordered_;
  std::uint64_t places = kPlacesPerShingle * (in_a.size() + in_b.size());
  std::size_t longest = 0;
  const auto counts = [](const PassageAnchors& text, std::size_t place) {
    return text.is_template_.empty() || !text.is_template_[place];
  };
  const auto spend = [&](std::size_t compared) { places -= std::min<std::uint64_t>(places, compared); };
  const auto compare_at = [&](std::size_t i, std::size_t j) {
    std::size_t before = 0, behind = 0, own = 0;
    while (before < std::min(i, j) && in_a[i - before - 1] == in_b[j - before - 1]) {
      ++before;
      // A run is compared once, from its first place that is an anchor in both texts.
      if (a.is_anchor_[i - before] && b.is_anchor_[j - before]) return spend(before);
    }
    i -= before, j -= before;
    for (; i + behind < in_a.size() && j + behind < in_b.size() && in_a[i + behind] == in_b[j + behind];
         ++behind)
      own += counts(a, i + behind) && counts(b, j + behind);
    longest = std::max(longest, own);
    spend(before + behind);
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

}  // namespace leitong
