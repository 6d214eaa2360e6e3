// "e-simhash", "e-simhash-literal": words weighed by TF-IDF and the entropy of their neighbours, bound to
// their places.
#include "signature/e_simhash.hpp"

#include <array>
#include <utility>

#include "dedup/method.hpp"
#include "dedup/methods/fingerprints.hpp"
#include "dedup/methods/word_tools.hpp"

namespace leitong {
namespace {

constexpr std::array kParams = {
    number_param("distance", "3", 0, 16, "bits in which similar documents may differ"),
    number_param("top", "20", 0, 1e9, "the words of highest TF-IDF that count; 0: all"),
    word_param("blend", "product", "product|mean|root-square", "how TF-IDF and entropy become one weight"),
    fraction_param("entropy-cap", "0", 0, 1e9, "the greatest weight; 0: none"),
    kHashParam,
    ParamInfo{"model", "", "file of leitong train (required)"}};

class Signer final : public Fingerprinter {
 public:
  Signer(PlacedTerms terms, std::size_t top, EntropyBlend blend, double cap, bool literal)
      : terms_(std::move(terms)), top_(top), blend_(blend), cap_(cap), literal_(literal) {}

  [[nodiscard]] std::optional<Fingerprint> sign(const DocumentView& document, FeatureSpace&) const override {
    thread_local PlacedSpace space;  // not for every method of this kind to carry
    terms_.extract(document.text, top_, space);
    for (Weighted& each : space.weights) {
      const Neighbours around = terms_.model()->neighbours(space.bag.terms[each.term].id);
      each.weight = entropy_weight(each.weight / static_cast<double>(space.bag.occurrences), around.left,
                                   around.right, blend_, cap_);
    }
    PlacedTerms::list_placed(space);
    const auto fingerprint =
        literal_ ? e_simhash_literal(space.placed) : e_simhash(space.placed, space.bag.occurrences);
    return fingerprint ? std::optional(Fingerprint{*fingerprint, 0}) : std::nullopt;
  }

 private:
  PlacedTerms terms_;
  std::size_t top_;
  EntropyBlend blend_;
  double cap_;
  bool literal_;
};

MadeMethod make(const MethodContext& context, const Params& params, std::string name, bool literal) {
  LEITONG_ASSIGN(PlacedTerms terms, open_placed_terms(params, true));
  return std::make_unique<FingerprintMethod>(
      context, FingerprintSettings{std::move(name), 64, static_cast<unsigned>(params.whole("distance"))},
      std::make_unique<Signer>(std::move(terms), params.whole("top"),
                               params.choice("blend", entropy_blend_names(), &EntropyBlendName::blend),
                               params.number("entropy-cap"), literal));
}

MadeMethod make_e_simhash(const MethodContext& context, const Params& params) {
  return make(context, params, "e-simhash", false);
}

MadeMethod make_e_simhash_literal(const MethodContext& context, const Params& params) {
  return make(context, params, "e-simhash-literal", true);
}

}  // namespace

MethodInfo e_simhash_method() {
  return {"e-simhash",
          "SimHash of words weighed by the entropy of their neighbours and bound to their places",
          "Zhang Hang et al. 2020, places corrected",
          kParams,
          "fingerprint",
          kNeedsWords,
          make_e_simhash};
}

MethodInfo e_simhash_literal_method() {
  return {"e-simhash-literal",
          "the same as published: places reach the lowest bits only",
          "Zhang Hang et al. 2020",
          kParams,
          "fingerprint",
          kNeedsWords,
          make_e_simhash_literal};
}

}  // namespace leitong
