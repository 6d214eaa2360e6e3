// "default": winnowed long-shingle keys in two tiers of length.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "feature/repetition.hpp"
#include "feature/winnow.hpp"
#include "scheme/key_tiers.hpp"
#include "scheme/scheme.hpp"

namespace leitong {
namespace {

// Texts of fewer units are always checked for repetition, since their keys are too few to tell.
constexpr std::size_t kAlwaysLookedAt = 24;

// True if there are less than a third of the keys that winnowing expects (2 in window + 1 shingles), or if
// the same ones repeat often. Then the join may skip the text: it has too few keys for its length.
bool few_or_repeated(std::span<const std::uint64_t> keys, std::size_t shingles, std::size_t window) {
  return 3 * keys.size() * (window + 1) < 2 * shingles || may_repeat(keys);
}

class Winnowed final : public Scheme {
 public:
  Winnowed() : Scheme(content_of_units()) {}

  struct Space final : Scratch {
    WinnowScratch winnow;
    RepetitionScratch repetition;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    auto& [winnow_space, repetition] = static_cast<Space&>(scratch);
    const std::size_t units = document.units.size(), header = words.size();
    if (units < kShortKeyUnits) return;
    words.push_back(0);
    const auto keys = [&] { return std::span<const std::uint64_t>(words).subspan(header + 1); };
    bool repeats = units < kAlwaysLookedAt;
    if (units < kShortKeysBelow) {
      winnow(document.units, kShortKeyUnits, kShortKeyWindow, winnow_space, words);
      repeats |= few_or_repeated(keys(), units - kShortKeyUnits + 1, kShortKeyWindow);
    }
    words[header] = keys().size();
    if (units >= kLongKeysFrom) {
      const std::size_t window =
          long_key_window(static_cast<std::uint32_t>(std::min<std::size_t>(units, UINT32_MAX)));
      winnow(document.units, kLongKeyUnits, window, winnow_space, words);
      if (units >= kShortKeysBelow) repeats = few_or_repeated(keys(), units - kLongKeyUnits + 1, window);
    }
    if (!repeats) return;
    if (const auto set = repetitive_set(document.units, repetition); !set.empty()) {
      words.push_back(XXH3_64bits(set.data(), set.size_bytes()));
      words[header] |= kHasSetHash;
    }
  }
};

MadeScheme make_winnowed(const Params&, SchemeResources&) { return std::make_unique<Winnowed>(); }

}  // namespace

SchemeInfo winnowed_scheme() {
  return {"default",
          "winnowed long shingles joined by rarity, verified by Jaccard or containment",
          "Schleimer, Wilkerson, Aiken 2003 (winnowing); Broder 1997 (resemblance, containment)",
          {},
          "",
          "6 characters in a row (12 letters or digits)",
          1,
          make_winnowed};
}

}  // namespace leitong
