// "overlap": winnowed shingles, dense enough that their overlap estimates that of the texts.
#include <algorithm>

#include "feature/winnow.hpp"
#include "scheme/overlap_keys.hpp"
#include "scheme/scheme.hpp"

namespace leitong {
namespace {

constexpr ParamInfo kOverlapParams[] = {
    word_param("passages", "yes", "yes|no", "keys of 28 units as well, which lead to common passages"),
};

class Overlap final : public Scheme {
 public:
  explicit Overlap(const Params& params)
      : Scheme(content_of_units()), passages_(params.text("passages") == "yes") {}

  struct Space final : Scratch {
    WinnowScratch winnow;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  // Appends the number of dense keys, these keys, and the keys of passages.
  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    WinnowScratch& space = static_cast<Space&>(scratch).winnow;
    const std::size_t units = document.units.size(), header = words.size();
    if (units < kDenseKeyUnits) return;
    words.push_back(0);
    const auto counted = static_cast<std::uint32_t>(std::min<std::size_t>(units, UINT32_MAX));
    winnow(document.units, kDenseKeyUnits, dense_key_window(counted), space, words);
    words[header] = words.size() - header - 1;
    if (passages_ && units >= kPassageUnits)
      winnow(document.units, kPassageKeyUnits, kPassageWindow, space, words);
  }

 private:
  bool passages_;
};

MadeScheme make_overlap(const Params& params, SchemeResources&) { return std::make_unique<Overlap>(params); }

}  // namespace

SchemeInfo overlap_scheme() {
  return {"overlap",
          "dense winnowed shingles, counted for each pair: for rules below the default one",
          "Schleimer, Wilkerson, Aiken 2003 (winnowing); Sarawagi, Kirpal 2004 (counting over lists)",
          kOverlapParams,
          "",
          "5 characters in a row (10 letters or digits)",
          1,
          make_overlap};
}

}  // namespace leitong
