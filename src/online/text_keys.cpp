#include "online/text_keys.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/hash.hpp"
#include "base/system.hpp"
#include "feature/shingles.hpp"
#include "scheme/key_tiers.hpp"

namespace leitong::online {
namespace {

constexpr std::size_t kLeastPosted = 12, kLeastLookedUp = 24;
// Texts of up to so many units are too short for a sample to tell whether they are repetitive.
constexpr std::size_t kAlwaysLookedAt = 24;
constexpr std::size_t kMostLookedUp = 2'048;  // a limit for huge texts

constexpr std::uint64_t kAllKeyBits = (std::uint64_t{1} << kKeyBits) - 1;
// The highest level of a position below 2^32.
constexpr std::uint32_t kMostLevel = 32;

Key key_of(const SipKey& secret, std::string_view bytes) { return siphash(secret, bytes) >> (64 - kKeyBits); }

// Is it the first time that this key is seen?
bool is_new(Key key, PodVector<Key>& seen) {
  const std::size_t mask = seen.size() - 1;
  std::size_t at = key & mask;
  while (seen[at] != 0 && seen[at] != key + 1) at = (at + 1) & mask;
  return std::exchange(seen[at], key + 1) == 0;
}

void make_tier(std::span<const Unit> units, std::size_t length, std::size_t window, const Secret& secret,
               KeyScratch& scratch, std::size_t tier, TextKeys& result) {
  window_levels(units, length, window, secret.selection, scratch.windows, scratch.chosen);
  const std::size_t count = scratch.chosen.size();
  scratch.places.resize_for_overwrite(count);
  for (std::size_t i = 0; i < count; ++i) scratch.places[i] = scratch.chosen[i].place;
  keyed_hashes(secret.shingles, units, length, scratch.places, scratch.hashes);
  scratch.ordered.resize_for_overwrite(count);
  for (std::size_t i = 0; i < count; ++i)
    scratch.ordered[i] = {std::uint64_t{kMostLevel - scratch.chosen[i].level} << kKeyBits |
                              scratch.hashes[i] >> (64 - kKeyBits),
                          scratch.chosen[i].place};
  std::sort(scratch.ordered.begin(), scratch.ordered.end(), [](const auto& a, const auto& b) {
    return a.order != b.order ? a.order < b.order : a.place < b.place;
  });
  scratch.seen.clear();
  scratch.seen.resize(std::bit_ceil(2 * count + 1), 0);
  for (const KeyScratch::Ordered& o : scratch.ordered) {
    const Key key = o.order & kAllKeyBits;
    if (!is_new(key, scratch.seen)) continue;  // the key occurred at a higher level
    result.keys[tier].push_back(key);
    result.levels[tier].push_back(static_cast<std::uint8_t>(kMostLevel - (o.order >> kKeyBits)));
    result.places[tier].push_back(o.place);
  }
}

// A text with keys in both tiers uses half of each. If one tier has too few, the other tier gives more.
std::array<Quota, kTiers> share(const Quota& whole, std::size_t short_keys, std::size_t long_keys) {
  const auto split = [&](std::uint32_t quota) {
    std::uint32_t of_short = static_cast<std::uint32_t>(std::min<std::size_t>(short_keys, (quota + 1) / 2));
    const auto of_long = static_cast<std::uint32_t>(std::min<std::size_t>(long_keys, quota - of_short));
    of_short = static_cast<std::uint32_t>(std::min<std::size_t>(short_keys, quota - of_long));
    return std::array<std::uint32_t, kTiers>{of_short, of_long};
  };
  const auto post = split(whole.post), look_up = split(whole.look_up);
  return {Quota{post[0], look_up[0]}, Quota{post[1], look_up[1]}};
}

}  // namespace

SipKey random_secret() {
  SipKey bits;
  system::fill_random(&bits, sizeof bits);
  return bits;
}

Secret::Secret(const SipKey& bits)
    : shingles{siphash(bits, "shingles 0"), siphash(bits, "shingles 1")},
      content{siphash(bits, "content 0"), siphash(bits, "content 1")},
      sets{siphash(bits, "sets 0"), siphash(bits, "sets 1")},
      parts{siphash(bits, "parts 0"), siphash(bits, "parts 1")} {
  for (std::size_t i = 0; i < selection.size(); ++i)
    selection[i] = static_cast<std::uint32_t>(siphash(bits, std::string_view("selection").substr(i)));
}

Quota quota_of(std::size_t keys) noexcept {
  const std::size_t look_up = std::min(std::max(kLeastLookedUp, keys / 2), kMostLookedUp);
  const std::size_t post = std::min(std::max(kLeastPosted, keys / 4), kMostLookedUp / 2);
  return {static_cast<std::uint32_t>(post), static_cast<std::uint32_t>(look_up)};
}

Quota expected_quota(std::uint32_t units) noexcept {
  // Winnowing chooses 2 of every window + 1 shingles (Schleimer et al. 2003, section 3.2).
  const double keys = 2.0 * units / (long_key_window(units) + 1);
  const Quota quota = quota_of(static_cast<std::size_t>(keys));
  const auto all = static_cast<std::uint32_t>(std::lround(keys));
  return {std::min(all, quota.post), std::min(all, quota.look_up)};
}

void TextKeys::clear() {
  units.clear();
  content = 0;
  set.reset();
  for (std::size_t t = 0; t < kTiers; ++t) {
    keys[t].clear();
    levels[t].clear();
    places[t].clear();
  }
  shingles.clear();
  quota = {};
}

void make_keys(std::string_view text, const Folding& folding, const Secret& secret, KeyScratch& scratch,
               TextKeys& result) {
  result.clear();
  result.folding = folding;
  to_units(text, folding, result.units);
  const std::span<const Unit> units = result.units;
  result.content = key_of(secret.content, units.empty() ? text : bytes_of(units));
  if (units.size() < kShortKeysBelow)
    make_tier(units, kShortKeyUnits, kShortKeyWindow, secret, scratch, 0, result);
  if (units.size() >= kLongKeysFrom)
    make_tier(units, kLongKeyUnits,
              long_key_window(static_cast<std::uint32_t>(std::min<std::size_t>(units.size(), UINT32_MAX))),
              secret, scratch, 1, result);
  const std::size_t short_keys = result.keys[0].size(), long_keys = result.keys[1].size();
  result.quota = share(quota_of(long_keys > 0 ? long_keys : short_keys), short_keys, long_keys);
  shingle_hashes(units, result.shingles);
  result.sketched.set(result.shingles);
  if (short_keys + long_keys == 0 && !units.empty()) {
    result.set = key_of(secret.sets, bytes_of(units));
    return;
  }
  if (units.size() >= kAlwaysLookedAt && !may_repeat(std::span<const std::uint32_t>(result.shingles))) return;
  if (const auto set = repetitive_set(units, scratch.repetition); !set.empty())
    result.set = key_of(secret.sets, bytes_of(set));
}

}  // namespace leitong::online
