// What the online index uses of a text: its keys in the order of their selection, and its sketch.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/pod_vector.hpp"
#include "base/siphash.hpp"
#include "feature/repetition.hpp"
#include "feature/window_levels.hpp"
#include "online/sketch.hpp"
#include "text/units.hpp"

namespace leitong::online {

/// The secret of a new index.
[[nodiscard]] SipKey random_secret();

/// The 128 random bits of an index. Without them nobody can tell which shingles of a text are keys, nor which
/// texts meet in a list.
struct Secret {
  explicit Secret(const SipKey& bits);
  SipKey shingles;          ///< for keys that are shingles
  SipKey content;           ///< for keys that are whole texts
  SipKey sets;              ///< for keys that are sets of shingles
  SipKey parts;             ///< for keys of parts (part_keys.hpp)
  SelectionSeed selection;  ///< for winnowing
};

/// A key: 48 bits of SipHash. A collision makes a candidate that verification refuses.
using Key = std::uint64_t;
inline constexpr unsigned kKeyBits = 48;

/// The tiers of the keys: short shingles for texts of fewer than kShortKeysBelow units, long ones from
/// kLongKeysFrom units (scheme/key_tiers.hpp).
inline constexpr std::size_t kTiers = 2;

/// How many keys of a tier a text posts, and how many it looks up. Full keys do not count.
struct Quota {
  std::uint32_t post = 0, look_up = 0;
};

/// The quota of a text with so many keys in its longest tier.
[[nodiscard]] Quota quota_of(std::size_t keys) noexcept;
/// The same for a text of which only the number of units is known.
[[nodiscard]] Quota expected_quota(std::uint32_t units) noexcept;

/// A text, ready to be looked up.
struct TextKeys {
  Folding folding;  ///< of the units
  PodVector<Unit> units;
  Key content = 0;  ///< of the sequence of units; of the bytes if there is no unit
  /// The key of the set of shingles, if the text repeats itself, since then its other keys are few and say
  /// little. The key of the units, if there are too few for any other key.
  std::optional<Key> set;
  /// Distinct keys. Keys that wider windows select come first, because they are evenly spaced and an edited
  /// copy selects them, too. Then they are in the order of their hashes, so that the order is the same in
  /// every text.
  std::array<std::vector<Key>, kTiers> keys;
  std::array<std::vector<std::uint8_t>, kTiers> levels;   ///< of each key
  std::array<std::vector<std::uint32_t>, kTiers> places;  ///< position of the first unit of each key
  PodVector<std::uint32_t> shingles;                      ///< all shingles, in the order of the text
  std::array<Quota, kTiers> quota;
  SketchedText sketched;

  /// The keys of a tier that are tried in their order, to find enough that are not full.
  [[nodiscard]] std::span<const Key> tried(std::size_t tier) const noexcept {
    constexpr std::uint32_t kTried = 96;
    return std::span(keys[tier])
        .first(std::min<std::size_t>(keys[tier].size(), std::max(kTried, quota[tier].look_up)));
  }
  void clear();
};

/// Working space of make_keys(), one per thread.
struct KeyScratch {
  WindowLevelScratch windows;
  PodVector<ChosenShingle> chosen;
  PodVector<std::uint32_t> places;
  PodVector<std::uint64_t> hashes;
  struct Ordered {
    std::uint64_t order;  ///< the key and, in the bits above it, how far its level is below the highest one
    std::uint32_t place;
  };
  PodVector<Ordered> ordered;
  PodVector<Key> seen;  ///< a hash table; 0 is free
  RepetitionScratch repetition;
};

/// REQUIRES valid UTF-8. Linear, except for the ordering of the keys.
void make_keys(std::string_view text, const Folding& folding, const Secret& secret, KeyScratch& scratch,
               TextKeys& result);

}  // namespace leitong::online
