// "simhash": words weighted by TF-IDF, one 64-bit fingerprint, Hamming distance 3, and its variants.
#include <array>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "scheme/fingerprint_scheme.hpp"
#include "scheme/simhash_features.hpp"
#include "scheme/word_tools.hpp"
#include "signature/simhash.hpp"

namespace leitong {
namespace {

// The defaults of the literature of web deduplication (Manku, Jain, Das Sarma 2007, section 2 for f = 64 and
// k = 3).
constexpr std::array kSimhashParams = {
    word_param("bits", "64", "64|128", "length of the fingerprint"),
    of_search(
        number_param("distance", "3", 0, 33, "bits in which similar documents may differ; of 64 at most 16")),
    word_param("features", "words", "words|chars|word-ngrams", "what is summed up"),
    number_param("n", "3", 1, 32, "length of the runs of features=chars (units) and word-ngrams"),
    word_param("cut", "mix", "mix|search|full",
               "which words of the text: the likeliest, also those inside of them, or all of the dictionary"),
    word_param(
        "weights", "tf-idf", "tf-idf|tf-idf-up|tfc|levels|log-tf|constant",
        "how much a feature counts; tf-idf-up: the frequency as a share, rounded up to a whole number"),
    number_param("top", "20", 0, 1e9, "the heaviest features that count; 0: all"),
    fraction_param("cap", "0", 0, 1e9, "no weight above so many medians; 0: no cap"),
    kHashParam,
    kTiesParam,
    kModelParam,
    file_param(
        "thesaurus",
        "file of synonyms (Cilin, or lines word TAB group) or of word vectors (word2vec): words of one "
        "meaning agree in most bits, and so do antonyms that stand together there; pairs must be verified"),
    fraction_param("meaning", "2", 0, 8,
                   "with thesaurus: weight of a word's meaning; that of its own hash is 1"),
    kSynonymsParam};

class Simhash final : public FingerprintScheme {
 public:
  Simhash(SimhashFeatures features, const Params& params)
      : FingerprintScheme(features.content(), static_cast<unsigned>(params.whole("bits")),
                          static_cast<unsigned>(params.whole("distance"))),
        features_(std::move(features)),
        ties_(chosen_ties(params)) {}

  struct Space final : Scratch {
    SimhashSpace features;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    SimhashSpace& space = static_cast<Space&>(scratch).features;
    features_.extract(document, space);
    if (fingerprint_bits() == 128) {
      if (const auto wide = simhash128(space.all.features, ties_)) words.append(*wide);
    } else if (const auto fingerprint = simhash(space.all.features, ties_)) {
      words.push_back(*fingerprint);
    }
  }

  [[nodiscard]] std::string_view must_be_verified() const noexcept override {
    if (!features_.by_meaning()) return {};
    return "the parameter thesaurus brings words of one company together, and antonyms keep one company: "
           "such "
           "signatures find candidates and never decide alone";
  }

 private:
  SimhashFeatures features_;
  Ties ties_;
};

/// Leaves out parameters that have no effect with the values of the others.
std::string simhash_parameters(const Params& params) {
  std::vector<ParamInfo> used(kSimhashParams.begin(), kSimhashParams.end());
  std::erase_if(used, [&](const ParamInfo& param) {
    return (param.name == "n" && params.text("features") == "words") ||
           (param.name == "cut" && params.text("features") == "chars") ||
           (param.name == "meaning" && params.text("thesaurus").empty());
  });
  return sketch_parameters(used, params);
}

MadeScheme make_simhash(const Params& params, SchemeResources& resources) {
  LEITONG_ASSIGN(auto features, SimhashFeatures::open(params, resources));
  return std::make_unique<Simhash>(std::move(features), params);
}

}  // namespace

SchemeInfo simhash_scheme() {
  return {"simhash",
          "jieba's words by TF-IDF, the top 20, 64-bit SimHash, distance 3",
          "Charikar 2002; Manku, Jain, Das Sarma 2007",
          kSimhashParams,
          "fingerprint",
          kNeedsWords,
          1,
          make_simhash,
          simhash_parameters};
}

}  // namespace leitong
