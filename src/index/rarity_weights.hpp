// The arithmetic of the join by rarity: the weight of a key, the sums of a document's keys, and whether a
// pair shares enough. Separate from RarityJoin, so that a join on many machines uses the same numbers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include "similarity/template_rule.hpp"

namespace leitong {

/// A key of more documents is hot.
inline constexpr std::uint32_t kHotKey = 64;
/// The most common keys that together hold at most this share of a document's rarity never emit alone.
inline constexpr double kKeyPrefix = .05;

/// Keys of 2..3, 4..7, .. 32..63 and 64 documents: the steps of the weighted prefix.
inline constexpr unsigned kKeyClasses = 6;
/// REQUIRES 2 <= df <= kHotKey.
[[nodiscard]] constexpr unsigned key_class(std::uint32_t df) {
  return static_cast<unsigned>(std::bit_width(df)) - 2;
}

/// The weight of a key by its documents, 1 to kHotKey: 256 / sqrt(df), rounded. Weights are integers, so that
/// sums do not depend on the order.
inline const auto kKeyWeight = [] {
  constexpr double kOne = 256;
  std::array<std::uint32_t, kHotKey + 1> weight{};
  for (std::uint32_t df = 1; df <= kHotKey; ++df)
    weight[df] = static_cast<std::uint32_t>(std::lround(kOne / std::sqrt(df)));
  return weight;
}();

/// The keys of a document and tier that other documents hold as well.
struct KeyTally {
  std::uint32_t shared = 0, hot = 0;  ///< numbers of keys
  std::array<std::uint32_t, kKeyClasses> weight{};
};

/// The sums of the keys of one tier.
struct KeySum {
  std::uint32_t rarity = 0;      ///< sum of the weights; hot keys have none
  std::uint8_t last_class = 0;   ///< the most common class of keys that emits
  std::uint8_t hot_share = 0;    ///< share of the keys, in 1/255
  std::uint8_t frame_share = 0;  ///< share of keys that at least about `frame` documents hold, in 1/255
};

/// `all`: the document's distinct keys of the tier. `frame`: see RarityJoin; 0 if frames are not used.
[[nodiscard]] inline KeySum sum_keys(std::uint32_t all, const KeyTally& tally, std::uint32_t frame) {
  KeySum sum;
  sum.rarity = std::accumulate(tally.weight.begin(), tally.weight.end(),
                               (all - tally.shared - tally.hot) * kKeyWeight[1]);
  const auto spare = static_cast<std::uint64_t>(kKeyPrefix * sum.rarity);
  std::uint64_t left_out = 0;
  unsigned last = kKeyClasses - 1;
  while (last > 0 && left_out + tally.weight[last] <= spare) left_out += tally.weight[last--];
  sum.last_class = static_cast<std::uint8_t>(last);
  if (all == 0) return sum;
  sum.hot_share = static_cast<std::uint8_t>(255ull * tally.hot / all);
  if (frame == 0) return sum;
  // Weights give a lower bound for the number of keys: the rarest of a class weigh most.
  std::uint64_t common = tally.hot;
  for (unsigned c = key_class(frame); c < kKeyClasses; ++c)
    common += tally.weight[c] / kKeyWeight[std::uint32_t{2} << c];
  sum.frame_share = static_cast<std::uint8_t>(255 * std::min<std::uint64_t>(common, all) / all);
  return sum;
}

/// What the join must know of how keys are made. Arguments are units, a <= b.
struct KeyTiers {
  std::uint32_t short_below;  ///< documents of fewer units have keys of tier 0
  /// The keys that the two share if the longer one contains the shorter one.
  double (*expected_keys)(std::uint32_t a, std::uint32_t b);
  /// The share of the shorter document's keys that the longer one's wider window would select, too.
  double (*comparable_share)(std::uint32_t a, std::uint32_t b);

  /// Two short documents meet only in tier 0.
  [[nodiscard]] bool meet_in(unsigned tier, std::uint32_t units_a, std::uint32_t units_b) const noexcept {
    return tier == 0 || std::max(units_a, units_b) >= short_below;
  }
  /// The tier whose rarity measures a pair, by the units of the longer document.
  [[nodiscard]] unsigned tier_of(std::uint32_t longer) const noexcept { return longer < short_below ? 0 : 1; }
};

/// What a pair of documents shares. Rarity is that in KeyTiers::tier_of().
struct SharedKeys {
  std::uint32_t shorter_units = 0, longer_units = 0;
  std::uint32_t shorter_rarity = 0, longer_rarity = 0;
  std::uint32_t weight = 0;  ///< weight of the shared keys that emit
  bool rare = false;         ///< is one of these rarer than a possible template (kFrameClass)?
  std::uint32_t stars = 0;   ///< hot keys by which one leads the other
  std::uint32_t rarest = 0;  ///< weight of the shared keys that two or three documents hold
};

/// What is known of the two documents' common keys.
struct CommonKeys {
  bool both_hot = false;           ///< is_hot_share() of both
  std::uint8_t longer_frame = 0;   ///< KeySum::frame_share of the longer one
  std::uint8_t shorter_frame = 0;  ///< KeySum::frame_share of the shorter one
};
/// A document with at least this hot_share, 0.20 of its keys, counts as one of common keys.
inline const auto kHotShareFrom = static_cast<std::uint8_t>(std::ceil(255 * .20));
[[nodiscard]] inline bool is_hot_share(std::uint8_t hot_share) noexcept { return hot_share >= kHotShareFrom; }
/// Keys of this class and more common ones may be of a template: as many documents hold them as a template
/// needs families.
inline constexpr unsigned kFrameClass = key_class(TemplateRule::kFamilies);

/// A pair that is worth a comparison, with the fields of Candidate.
struct WorthComparing {
  float score = 0;
  bool template_only = false;
  std::uint8_t frame = 0;
};

/// Decides whether a pair is worth a comparison. `reachable(m, n)`: can the rule hold for these units, m <=
/// n? `common()` returns CommonKeys. Both are called as late as possible.
template <class Reachable, class Common>
[[nodiscard]] std::optional<WorthComparing> judge_shared(const KeyTiers& tiers, const SharedKeys& pair,
                                                         const Reachable& reachable, const Common& common) {
  constexpr std::array<double, 2> kShare = {.10, .05};
  constexpr double kHotShare = .30, kOwnShare = .50, kNoisyLength = .95;
  const std::uint32_t m = pair.shorter_units, n = pair.longer_units;
  const double least = kShare[tiers.tier_of(n)];
  const double poorer =
      std::min(pair.shorter_rarity * tiers.comparable_share(m, n), static_cast<double>(pair.longer_rarity));
  const double share = pair.weight / std::max(poorer, 1.0);
  // A noisy copy keeps its length and some of its long keys.
  const bool noisy = tiers.tier_of(n) == 1 && pair.rarest >= 2 * kKeyWeight[3] && m >= kNoisyLength * n;
  if (share < least && !noisy && pair.stars < kHotShare * std::max(1.0, tiers.expected_keys(m, n)))
    return std::nullopt;
  const CommonKeys keys = common();
  // reachable() is expensive, and few pairs come this far.
  if (!reachable(m, n) && !(is_framed(keys.longer_frame) && pair.rare && share >= least)) return std::nullopt;
  const double own = keys.both_hot ? kOwnShare : least;
  const std::uint8_t frame = std::max({keys.longer_frame, keys.shorter_frame, std::uint8_t{1}});
  return WorthComparing{static_cast<float>(std::min(share, 1.0)), share < own,
                        pair.rare || !is_framed(frame) ? frame : std::uint8_t{0}};
}

}  // namespace leitong
