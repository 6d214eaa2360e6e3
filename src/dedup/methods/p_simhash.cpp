// "p-simhash", "p-simhash-literal": words that share weight with their companions (J-Tidf), each blended with
// a signature of its places.
#include "signature/p_simhash.hpp"

#include <array>
#include <utility>

#include "dedup/method.hpp"
#include "dedup/methods/fingerprints.hpp"
#include "dedup/methods/word_tools.hpp"
#include "feature/j_tidf.hpp"

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
  Signer(FeatureExtractor extractor, double mu, bool literal)
      : extractor_(std::move(extractor)),
        mu_(mu),
        literal_(literal),
        partners_([model = extractor_.model()](std::uint64_t id) { return model->partners(id); }) {}

  [[nodiscard]] std::optional<Fingerprint> sign(const DocumentView& document,
                                                FeatureSpace& space) const override {
    const std::size_t top = extractor_.options().top;
    extractor_.gather(document.text, document.units, space);
    extractor_.weigh(WeightScheme::tf_idf, kCandidates * top, space);
    if (extractor_.model()->trained()) share_weights(space.bag, partners_, space.weights);
    keep_heaviest(space.bag, top, space.weights);
    FeatureExtractor::list_placed(space);
    const auto fingerprint =
        literal_ ? p_simhash_literal(space.placed, mu_) : p_simhash(space.placed, space.bag.occurrences, mu_);
    return fingerprint ? std::optional(Fingerprint{*fingerprint, 0}) : std::nullopt;
  }

 private:
  FeatureExtractor extractor_;
  double mu_;
  bool literal_;
  PartnersFn partners_;
};

MadeMethod make(const MethodContext& context, const Params& params, std::string name, bool literal) {
  LEITONG_ASSIGN(FeatureExtractor extractor, open_extractor(params, false));
  return std::make_unique<FingerprintMethod>(
      context, FingerprintSettings{std::move(name), 64, static_cast<unsigned>(params.whole("distance"))},
      std::make_unique<Signer>(std::move(extractor), params.number("mu"), literal));
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
          make_p_simhash};
}

MethodInfo p_simhash_literal_method() {
  return {"p-simhash-literal",
          "the same as published: places are bound to no word",
          "Zhang Yanan et al. 2022",
          kParams,
          "fingerprint",
          make_p_simhash_literal};
}

}  // namespace leitong
