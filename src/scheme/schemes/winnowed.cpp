// "default": winnowed long-shingle keys in two tiers of length.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "feature/repetition.hpp"
#include "feature/shingles.hpp"
#include "feature/winnow.hpp"
#include "scheme/key_tiers.hpp"
#include "scheme/scheme.hpp"

namespace leitong {
namespace {

class Winnowed final : public Scheme {
 public:
  Winnowed() : Scheme(content_of_units()) {}

  struct Space final : Scratch {
    WinnowScratch winnow;
    PodVector<std::uint32_t> shingles;
    RepetitionScratch repetition;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    auto& [winnow_space, shingles, repetition] = static_cast<Space&>(scratch);
    WinnowScratch& space = winnow_space;
    const std::size_t units = document.units.size(), header = words.size();
    if (units < kShortKeyUnits) return;
    words.push_back(0);
    // A text that repeats itself has too few keys for its length, so the join may pass it over.
    shingle_hashes(document.units, shingles);
    const auto set = repetitive_set(document.units, shingles, repetition);
    if (!set.empty()) words.push_back(XXH3_64bits(set.data(), set.size_bytes()));
    const std::size_t keys = words.size();
    if (units < kShortKeysBelow) winnow(document.units, kShortKeyUnits, kShortKeyWindow, space, words);
    words[header] = (words.size() - keys) | (set.empty() ? 0 : kHasSetHash);
    if (units >= kLongKeysFrom)
      winnow(document.units, kLongKeyUnits,
             long_key_window(static_cast<std::uint32_t>(std::min<std::size_t>(units, UINT32_MAX))), space,
             words);
  }
};

MadeScheme make(const Params&, SchemeResources&) { return std::make_unique<Winnowed>(); }

}  // namespace

SchemeInfo winnowed_scheme() {
  return {"default",
          "winnowed long shingles joined by rarity, verified by Jaccard or containment",
          "Schleimer, Wilkerson, Aiken 2003 (winnowing); Broder 1997 (resemblance, containment)",
          {},
          "",
          "6 characters in a row (12 letters or digits)",
          1,
          make};
}

}  // namespace leitong
