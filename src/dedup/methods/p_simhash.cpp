// "p-simhash", "p-simhash-literal": words that share weight with their companions (J-Tidf), each blended with
// a signature of its places.
#include "signature/p_simhash.hpp"

#include <array>
#include <utility>

#include "dedup/method.hpp"
#include "dedup/methods/fingerprints.hpp"
#include "dedup/methods/word_tools.hpp"

namespace leitong {
namespace {

constexpr std::array kParams = {
    number_param("distance", "10", 0, 16, "bits in which similar documents may differ"),
    number_param("top", "20", 1, 1e6, "m: words that count, out of the 3 m of highest TF-IDF"),
    fraction_param("mu", "1.5", 0, 10, "weight of a word's own hash; 1 - mu is that of its places"),
    kHashParam,
    ParamInfo{"model", "",
              "file of leitong train, which knows what words come together; else TF-IDF by jieba's idf"}};

// Zhang Yanan et al. 2022: the top 3m by TF-IDF are weighed anew, and the top m of these stay.
constexpr std::size_t kCandidates = 3;

class Signer final : public Fingerprinter {
 public:
  Signer(PlacedTerms terms, std::size_t top, double mu, bool literal)
      : terms_(std::move(terms)),
        top_(top),
        mu_(mu),
        literal_(literal),
        knows_companions_(terms_.model() != nullptr && terms_.model()->trained()) {}

  [[nodiscard]] std::optional<Fingerprint> sign(const DocumentView& document, FeatureSpace&) const override {
    thread_local PlacedSpace space;  // not for every method of this kind to carry
    terms_.extract(document.text, knows_companions_ ? kCandidates * top_ : top_, space);
    if (knows_companions_) {
      terms_.share_weights(space);
      keep_heaviest(space.bag, top_, space.weights);
    }
    PlacedTerms::list_placed(space);
    const auto fingerprint =
        literal_ ? p_simhash_literal(space.placed, mu_) : p_simhash(space.placed, space.bag.occurrences, mu_);
    return fingerprint ? std::optional(Fingerprint{*fingerprint, 0}) : std::nullopt;
  }

 private:
  PlacedTerms terms_;
  std::size_t top_;
  double mu_;
  bool literal_, knows_companions_;
};

MadeMethod make(const MethodContext& context, const Params& params, std::string name, bool literal) {
  LEITONG_ASSIGN(PlacedTerms terms, open_placed_terms(params, false));
  return std::make_unique<FingerprintMethod>(
      context, FingerprintSettings{std::move(name), 64, static_cast<unsigned>(params.whole("distance"))},
      std::make_unique<Signer>(std::move(terms), params.whole("top"), params.number("mu"), literal));
}

MadeMethod make_p_simhash(const MethodContext& context, const Params& params) {
  return make(context, params, "p-simhash", false);
}

MadeMethod make_p_simhash_literal(const MethodContext& context, const Params& params) {
  return make(context, params, "p-simhash-literal", true);
}

}  // namespace

MethodInfo p_simhash_method() {
  return {"p-simhash",
          "SimHash of words that share weight with their companions, blended with their places",
          "Zhang Yanan et al. 2022, places corrected",
          kParams,
          "fingerprint",
          kNeedsWords,
          make_p_simhash};
}

MethodInfo p_simhash_literal_method() {
  return {"p-simhash-literal",
          "the same as published: places are bound to no word",
          "Zhang Yanan et al. 2022",
          kParams,
          "fingerprint",
          kNeedsWords,
          make_p_simhash_literal};
}

}  // namespace leitong
