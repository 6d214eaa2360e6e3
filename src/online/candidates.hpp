// Which texts are likely to be similar to this one? By the keys that they share, and by sketches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "feature/shingles.hpp"
#include "leitong/result.hpp"
#include "online/posting_lists.hpp"
#include "online/text_keys.hpp"
#include "scheme/key_tiers.hpp"
#include "similarity/rule.hpp"

namespace leitong::online {

/// Ids in a list from which it is full: nothing is added to it any more. Whoever meets a full key posts its
/// next one.
inline constexpr std::uint32_t kFull = 128;
/// Of full lists so many are read, of each so many ids: the earliest holders, the same under every key of a
/// family, so that their counts add up.
inline constexpr std::uint32_t kFullRead = 6, kFullIds = 32;
/// Ids that are read in all.
inline constexpr std::uint32_t kMostIds = 2'048;
/// Candidates whose sketches are looked at, and those whose texts are compared.
inline constexpr std::size_t kSketched = 32, kCompared = 8;
/// What two works share may be a template from this part of the shorter one: then it is worth noting.
inline constexpr double kTemplateContainment = .3;

/// The keys whose lists are read for a text, in the order of their choice.
struct Probes {
  std::vector<Key> keys;
  std::vector<std::uint32_t> most;        ///< ids to be read of each
  std::vector<std::uint8_t> full;         ///< of each: is it full?
  std::vector<std::uint8_t> is_template;  ///< of each: is all of its text template?
  std::vector<std::uint32_t> common;      ///< length from which its list counts as common; 0: any does
  std::vector<std::uint8_t> tier;
  std::vector<std::uint32_t> rank;  ///< in TextKeys::keys[tier]
  bool keys_left_out = false;
  double own_part = 1;                      ///< of the text's shingles: those that are no template
  PodVector<std::uint8_t> template_places;  ///< of each shingle of the text: is it a template?

  void clear() noexcept;
  /// Shingles in a key of a tier.
  [[nodiscard]] static constexpr std::size_t shingles_of(std::size_t in_tier) noexcept {
    return (in_tier == 0 ? kShortKeyUnits : kLongKeyUnits) - kShingleUnits + 1;
  }
  /// Is the key of this tier that begins there within a template?
  [[nodiscard]] bool in_template(std::uint32_t place, std::size_t in_tier) const noexcept;
};

/// Chooses them; `is_full(key)`. Keys in templates (probes.template_places, which is empty if there is none)
/// come last: who shares nothing else is hardly similar.
template <class IsFull>
void choose_probes(const TextKeys& text, IsFull is_full, Probes& probes);

/// A text that may be similar.
struct LikelyText {
  TextNumber text = 0;
  TextRecord record = {};
  std::uint32_t keys = 0;  ///< that both have
  float rank = 0;
  SketchedJaccard sketch = {};  ///< where it was looked at
  bool by_own_text = false;     ///< the text has much template, and they share a key outside of it
  std::string_view fate = {};   ///< why it isn't among the chosen; empty if it is
};

struct Likely {
  std::vector<LikelyText> chosen;    ///< at most kCompared, the likeliest first
  std::vector<LikelyText> left_out;  ///< only if asked for
  std::uint32_t not_compared = 0;    ///< that were likely, too
  bool ids_left_out = false;
};

/// Working space.
struct LikelyScratch {
  struct Meeting {
    TextNumber text;
    std::uint32_t key;
    float weight;
  };
  struct Tally {
    TextNumber text;
    float rarity;
    std::uint32_t keys, common, own;
  };
  std::vector<Meeting> met;
  std::vector<Tally> tallies;
  std::vector<LikelyText> likely, by_sketch;
};

/// What is known of a text.
using RecordOf = std::function<Result<TextRecord>(TextNumber)>;

/// `lists`: those of probes.keys; what follows them is left alone. A candidate's rank is the sum over the
/// keys that it shares of 1/sqrt(1 + length of the list), by the root of the keys that a similar text of its
/// length would share. Keys in templates count nothing. Out go texts that share no other key, unless they
/// look like copies; texts of a length that the rule refuses; longer or shorter ones by more than 2 that
/// share under a fifth of the keys to expect; of the best kSketched those whose sketch says that they are
/// less like it than similar texts are, and, of those that share several keys, than texts of one template;
/// unless a fifth of the text is template: then a copy in another frame may look like that. What is left is
/// taken by sketch and by rank in turn.
Result<void> choose_likely(const TextKeys& text, const Probes& probes, const PostingLists& lists,
                           const RecordOf& record_of, const Rule& rule, bool keep_left_out,
                           LikelyScratch& scratch, Likely& likely);

template <class IsFull>
void choose_probes(const TextKeys& text, IsFull is_full, Probes& probes) {
  const std::uint32_t post = text.quota[0].post + text.quota[1].post;
  std::uint32_t full_ones = 0;
  for (std::size_t t = 0; t < kTiers; ++t) {
    const std::uint32_t wanted = text.quota[t].look_up;
    const std::size_t walked = std::min<std::size_t>(text.keys[t].size(), std::max(kWalk, wanted));
    std::uint32_t found = 0;
    std::size_t i = 0;
    const auto visit = [&](bool in_template) {
      if (in_template && probes.template_places.empty()) return;
      for (i = 0; i < walked && found < wanted; ++i) {
        const Key key = text.keys[t][i];
        if (probes.in_template(text.places[t][i], t) != in_template) continue;
        const bool full = is_full(key);
        if (full && ++full_ones > kFullRead) {
          probes.keys_left_out = true;
          continue;
        }
        if (!full) ++found;
        // Fewer ids make a key common further down the order, where keys are seldom chosen again by chance.
        const std::uint32_t common = found <= post / 2 ? 32 : found <= post ? 16 : 8;
        probes.keys.push_back(key);
        probes.most.push_back(full ? kFullIds : kFull);
        probes.full.push_back(full);
        probes.common.push_back(full || in_template ? 0 : common);
        probes.tier.push_back(static_cast<std::uint8_t>(t));
        probes.rank.push_back(static_cast<std::uint32_t>(i));
        probes.is_template.push_back(in_template);
      }
    };
    visit(false);
    visit(true);
    if (i == walked && i < text.keys[t].size() && found < wanted) probes.keys_left_out = true;
  }
}

}  // namespace leitong::online
