// "default": winnowed long-shingle keys in two tiers of length.
#include <algorithm>

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
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  // The first word is the number of keys of the short tier; they follow, then those of the long tier.
  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    WinnowScratch& space = static_cast<Space&>(scratch).winnow;
    const std::size_t units = document.units.size(), header = words.size();
    if (units < kShortKeyUnits) return;
    words.push_back(0);
    if (units < kShortKeysBelow) winnow(document.units, kShortKeyUnits, kShortKeyWindow, space, words);
    words[header] = words.size() - header - 1;
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
