// Finds the texts that are likely to be similar to a text, by shared keys and by sketches.
#pragma once

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

/// A list of so many ids is full: nothing is added to it. A text whose key is full posts its next key
/// instead.
inline constexpr std::uint32_t kFull = 128;
/// The number of full lists that are read, and of ids in each of them. These are the earliest ids, which are
/// the same under every key of a family, so that their counts add up.
inline constexpr std::uint32_t kFullRead = 6, kFullIds = 32;
/// The most ids that are read for a text.
inline constexpr std::uint32_t kMostIds = 2'048;
/// The number of candidates whose sketches are compared, and of those whose texts are compared.
inline constexpr std::size_t kSketched = 32, kCompared = 8;
/// If two works share this part of the shorter one, it may be a template and is noted.
inline constexpr double kTemplateContainment = .3;

/// The keys whose lists are read for a text, in the order of their selection.
struct Probes {
  std::vector<Key> keys;
  std::vector<std::uint32_t> most;        ///< most ids that are read of each list
  std::vector<std::uint8_t> full;         ///< for each: 1 if it is full
  std::vector<std::uint8_t> is_template;  ///< for each: 1 if its shingle lies in templates
  std::vector<std::uint32_t> common;      ///< length from which its list counts as common; 0: always
  std::vector<std::uint8_t> tier;
  std::vector<std::uint32_t> rank;  ///< position in TextKeys::keys[tier]
  bool keys_left_out = false;
  double own_part = 1;                      ///< share of the text's shingles outside templates
  PodVector<std::uint8_t> template_places;  ///< for each shingle of the text: 1 if it is a template

  void clear() noexcept;
  [[nodiscard]] static constexpr std::size_t shingles_of(std::size_t in_tier) noexcept {
    return (in_tier == 0 ? kShortKeyUnits : kLongKeyUnits) - kShingleUnits + 1;
  }
  /// Does the key of this tier at this place lie within a template?
  [[nodiscard]] bool in_template(std::uint32_t place, std::size_t in_tier) const noexcept;
};

/// Selects the keys. `is_full(key)` says whether the list of a key is full. Keys in templates
/// (probes.template_places, empty if there are none) come last, because a text that shares nothing else is
/// hardly similar.
template <class IsFull>
void choose_probes(const TextKeys& text, IsFull is_full, Probes& probes);

/// A text that may be similar.
struct LikelyText {
  TextNumber text = 0;
  TextRecord record = {};
  std::uint32_t keys = 0;  ///< keys that both have
  float rank = 0;
  SketchedJaccard sketch = {};  ///< estimate by the sketches, if they were compared
  bool by_own_text = false;     ///< the text has much template, and they share a key outside of it
  std::string_view fate = {};   ///< why it was not chosen; empty if it was
};

struct Likely {
  std::vector<LikelyText> chosen;    ///< at most kCompared, the most likely first
  std::vector<LikelyText> left_out;  ///< filled only if wanted
  std::uint32_t not_compared = 0;    ///< candidates that were not compared
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

using RecordOf = std::function<Result<TextRecord>(TextNumber)>;

/// Chooses the candidates. `lists` are those of probes.keys; further lists are ignored. The rank of a
/// candidate is the sum of 1/sqrt(1 + length of the list) over the shared keys, divided by the root of the
/// number of keys that a similar text of its length would share. Keys in templates do not count.
///
/// These are left out: texts that share only template keys, unless they look like copies; texts of a length
/// that the rule refuses; texts that are more than twice as long or as short and share under a fifth of the
/// expected keys; and of the best kSketched those whose sketch says that they are less similar than the rule
/// asks for (or, with several shared keys, than texts of one template are). Sketches do not decide if a fifth
/// of the text is template, because the sketch of a copy in another frame may differ. The remaining
/// candidates are chosen alternately by sketch and by rank.
Result<void> choose_likely(const TextKeys& text, const Probes& probes, const PostingLists& lists,
                           const RecordOf& record_of, const Rule& rule, bool keep_left_out,
                           LikelyScratch& scratch, Likely& likely);

template <class IsFull>
void choose_probes(const TextKeys& text, IsFull is_full, Probes& probes) {
  const std::uint32_t post = text.quota[0].post + text.quota[1].post;
  std::uint32_t full_ones = 0;
  for (std::size_t t = 0; t < kTiers; ++t) {
    const std::uint32_t wanted = text.quota[t].look_up;
    const std::span<const Key> tried = text.tried(t);
    std::uint32_t found = 0;
    std::size_t i = 0;
    const auto visit = [&](bool in_template) {
      if (in_template && probes.template_places.empty()) return;
      for (i = 0; i < tried.size() && found < wanted; ++i) {
        const Key key = tried[i];
        if (probes.in_template(text.places[t][i], t) != in_template) continue;
        const bool full = is_full(key);
        if (full && ++full_ones > kFullRead) {
          probes.keys_left_out = true;
          continue;
        }
        if (!full) ++found;
        // Later in the order fewer ids make a key common, because such keys are seldom selected again by
        // chance.
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
    if (i == tried.size() && i < text.keys[t].size() && found < wanted) probes.keys_left_out = true;
  }
}

}  // namespace leitong::online
