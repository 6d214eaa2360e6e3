#include "online/candidates.hpp"

#include <algorithm>
#include <cmath>
#include "base/try.hpp"
#include "similarity/template_rule.hpp"

namespace leitong::online {
namespace {

// A candidate that shares only common keys must share at least this fraction of them.
constexpr double kCommonShare = .3;
// Two texts whose lengths differ by more than this factor must share at least this fraction of the expected
// keys.
constexpr double kOtherLength = .5, kLeastKeys = .2;
// If at most this part of a text lies outside templates, the sketch of the whole text says little.
constexpr double kOwnPart = .8;
// A possible template (kTemplateContainment) makes at least so many keys equal.
constexpr std::uint32_t kKeysOfTemplate = 2;

/// The number of keys that a text of `units` shares with a similar stored one of `stored` units.
double keys_to_expect(std::uint32_t units, std::uint32_t stored) {
  const double posted = expected_quota(stored).post, looked_up = expected_quota(units).look_up;
  if (stored >= units) return posted * units / stored;
  return std::min(posted, looked_up * stored / units);
}

/// The Jaccard coefficient of two texts of these lengths that share a part of the shorter one.
double jaccard_at(double containment, std::uint32_t a, std::uint32_t b) {
  const auto [shorter, longer] = std::minmax(a, b);
  const double ratio = static_cast<double>(shorter) / std::max<std::uint32_t>(longer, 1);
  return containment * ratio / (1 + (1 - containment) * ratio);
}

/// The least Jaccard value for which a text is read: it may be similar, or share a possible template. Texts
/// that share a template share several keys.
double least_jaccard(const Rule& rule, std::uint32_t a, std::uint32_t b, std::uint32_t keys) {
  double similar = TemplateRule::kRareJaccard;
  if (std::min(a, b) >= rule.containment_min) similar = std::min(similar, jaccard_at(rule.containment, a, b));
  return keys < kKeysOfTemplate ? similar : std::min(similar, jaccard_at(kTemplateContainment, a, b));
}

bool likelier(const LikelyText& a, const LikelyText& b) {
  return a.rank != b.rank ? a.rank > b.rank : a.text < b.text;
}

/// Makes the tallies of all texts in the lists. Returns how many of the lists are common.
std::uint32_t count_shared(const Probes& probes, const PostingLists& lists, LikelyScratch& scratch,
                           Likely& likely) {
  std::uint32_t common = 0, left = kMostIds;
  scratch.met.clear();
  for (std::size_t k = 0; k < probes.full.size(); ++k) {
    const std::span<const TextNumber> holders = lists[k];
    if (holders.empty()) continue;
    const bool is_common = holders.size() >= probes.common[k];
    common += is_common;
    if (likely.ids_left_out || holders.size() > left) {
      likely.ids_left_out = true;
      continue;
    }
    left -= static_cast<std::uint32_t>(holders.size());
    const float weight = is_common ? 0 : 1 / std::sqrt(1 + static_cast<float>(holders.size()));
    for (const TextNumber holder : holders)
      scratch.met.push_back({holder, static_cast<std::uint32_t>(k), weight});
  }

  // Adds in the order of the keys, so that the sums do not depend on anything else.
  std::sort(scratch.met.begin(), scratch.met.end(),
            [](const auto& a, const auto& b) { return a.text != b.text ? a.text < b.text : a.key < b.key; });
  scratch.tallies.clear();
  for (const LikelyScratch::Meeting& meeting : scratch.met) {
    if (scratch.tallies.empty() || scratch.tallies.back().text != meeting.text)
      scratch.tallies.push_back({meeting.text, 0, 0, 0, 0});
    LikelyScratch::Tally& tally = scratch.tallies.back();
    tally.rarity += meeting.weight;
    ++tally.keys;
    tally.common += meeting.weight == 0;
    tally.own += probes.is_template[meeting.key] == 0;
  }
  return common;
}

}  // namespace

void Probes::clear() noexcept {
  keys.clear();
  most.clear();
  full.clear();
  is_template.clear();
  common.clear();
  tier.clear();
  rank.clear();
  keys_left_out = false;
  own_part = 1;
  template_places.clear();
}

bool Probes::in_template(std::uint32_t place, std::size_t in_tier) const noexcept {
  if (template_places.empty()) return false;
  const auto first = template_places.begin() + place;
  return std::all_of(first, first + static_cast<std::ptrdiff_t>(shingles_of(in_tier)),
                     [](std::uint8_t is) { return is != 0; });
}

Result<void> choose_likely(const TextKeys& text, const Probes& probes, const PostingLists& lists,
                           const RecordOf& record_of, const Rule& rule, bool keep_left_out,
                           LikelyScratch& scratch, Likely& likely) {
  likely.chosen.clear();
  likely.left_out.clear();
  likely.not_compared = 0;
  likely.ids_left_out = false;
  const std::uint32_t common = count_shared(probes, lists, scratch, likely);
  const auto units = static_cast<std::uint32_t>(text.units.size());
  const auto leave_out = [&](LikelyText candidate, std::string_view fate) {
    if (!keep_left_out) return;
    candidate.fate = fate;
    likely.left_out.push_back(candidate);
  };

  const auto look_at_sketch = [&](LikelyText& candidate) {
    candidate.sketch = text.sketched.jaccard(candidate.record.units, candidate.record.sketch);
  };

  std::vector<LikelyText>& all = scratch.likely;
  all.clear();
  for (const LikelyScratch::Tally& tally : scratch.tallies) {
    const bool own = tally.own > 0;
    if (own && tally.rarity == 0 && tally.common < kCommonShare * std::max(1U, common)) continue;
    LEITONG_ASSIGN(const TextRecord record, record_of(tally.text));
    LikelyText candidate{.text = tally.text, .record = record, .keys = tally.keys};
    if (!own) {
      // Two texts that share only templates are similar only if they hold little else.
      look_at_sketch(candidate);
      if (candidate.sketch.most < TemplateRule::kBareJaccard) {
        leave_out(candidate, "template");
        continue;
      }
    }
    candidate.by_own_text = tally.rarity > 0 && probes.own_part <= kOwnPart;
    const double expected = keys_to_expect(units, record.units) * (own ? probes.own_part : 1);
    const auto [shorter, longer] = std::minmax(units, record.units);
    if (!rule.worth_verifying(units, record.units) ||
        (shorter < kOtherLength * longer && tally.keys < kLeastKeys * expected)) {
      leave_out(candidate, "length");
      continue;
    }
    // Among texts that share only common keys, those that share more are better.
    candidate.rank =
        static_cast<float>((tally.rarity + 1e-3 * tally.common) / std::sqrt(std::max(1.0, expected)));
    all.push_back(candidate);
  }

  const auto best = all.begin() + static_cast<std::ptrdiff_t>(std::min(kSketched, all.size()));
  std::partial_sort(all.begin(), best, all.end(), likelier);
  const std::size_t beyond = static_cast<std::size_t>(all.end() - best);
  for (auto at = best; at != all.end(); ++at) leave_out(*at, "not compared");
  all.erase(best, all.end());
  std::ranges::for_each(all, look_at_sketch);
  std::erase_if(all, [&](const LikelyText& candidate) {
    if (candidate.by_own_text ||
        candidate.sketch.most >= least_jaccard(rule, units, candidate.record.units, candidate.keys))
      return false;
    leave_out(candidate, "sketch");
    return true;
  });
  std::vector<LikelyText>& by_sketch = scratch.by_sketch;
  by_sketch = all;
  std::stable_sort(by_sketch.begin(), by_sketch.end(), [](const LikelyText& a, const LikelyText& b) {
    return a.sketch.estimate > b.sketch.estimate;
  });
  // Alternates: two by sketch, then one by rank.
  const auto take = [&](const LikelyText& candidate) {
    const bool taken =
        std::ranges::any_of(likely.chosen, [&](const LikelyText& c) { return c.text == candidate.text; });
    if (!taken && likely.chosen.size() < kCompared) likely.chosen.push_back(candidate);
  };
  for (std::size_t i = 0; i < all.size() && likely.chosen.size() < kCompared; ++i) {
    take(by_sketch[i]);
    if (i % 2 == 0) take(all[i / 2]);
  }
  for (const LikelyText& candidate : all)
    if (std::ranges::none_of(likely.chosen, [&](const LikelyText& c) { return c.text == candidate.text; }))
      leave_out(candidate, "not compared");
  likely.not_compared = static_cast<std::uint32_t>(all.size() - likely.chosen.size() + beyond);
  return {};
}

}  // namespace leitong::online
