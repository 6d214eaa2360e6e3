// "simhash": words weighed by TF-IDF, one 64-bit fingerprint, Hamming distance 3, and the variants of it.
#include <array>
#include <optional>
#include <utility>

#include "dedup/method.hpp"
#include "dedup/methods/fingerprints.hpp"
#include "dedup/methods/simhash_features.hpp"
#include "dedup/methods/word_tools.hpp"
#include "signature/simhash.hpp"

namespace leitong {
namespace {

// As the literature of web deduplication has it (Manku, Jain, Das Sarma 2007, section 2 for f = 64 and k =
// 3).
constexpr std::array kParams = {
    word_param("bits", "64", "64|128", "length of the fingerprint"),
    number_param("distance", "3", 0, 33, "bits in which similar documents may differ; of 64 at most 16"),
    word_param("features", "words", "words|chars|word-ngrams", "what is summed up"),
    number_param("n", "3", 1, 32, "length of the runs of features=chars (units) and word-ngrams"),
    word_param("weights", "tf-idf", "tf-idf|tfc|levels|log-tf|constant", "how much a feature counts"),
    number_param("top", "20", 0, 1e9, "the heaviest features that count; 0: all"),
    fraction_param("cap", "0", 0, 1e9, "no weight above so many medians; 0: no cap"),
    kHashParam,
    kModelParam,
    ParamInfo{
        "thesaurus", "",
        "file of synonyms (Cilin, or lines word TAB group) or of word vectors (word2vec): words of one "
        "meaning agree in most bits, and so do antonyms that stand together there; not with --no-verify"},
    fraction_param("meaning", "2", 0, 8,
                   "with thesaurus: weight of a word's meaning; that of its own hash is 1")};

class Signer final : public Fingerprinter {
 public:
  Signer(SimhashFeatures features, bool wide) : features_(std::move(features)), wide_(wide) {}

  [[nodiscard]] std::optional<Fingerprint> sign(const DocumentView& document,
                                                FeatureSpace& space) const override {
    features_.extract(document, space);
    if (wide_) return simhash128(space.features);
    const auto fingerprint = simhash(space.features);
    return fingerprint ? std::optional(Fingerprint{*fingerprint, 0}) : std::nullopt;
  }

 private:
  SimhashFeatures features_;
  bool wide_;
};

MadeMethod make_simhash(const MethodContext& context, const Params& params) {
  if (!params.text("thesaurus").empty() && !context.verify)
    return fail(ErrorCode::invalid_argument,
                "--param thesaurus brings words of one company together, and antonyms keep one company: such "
                "signatures find candidates and never decide alone; leave out --no-verify (leitong tune, "
                "which takes a method's own word, has no use for them)");
  const auto bits = static_cast<unsigned>(params.whole("bits"));
  LEITONG_ASSIGN(auto features, SimhashFeatures::open(params));
  return std::make_unique<FingerprintMethod>(
      context, FingerprintSettings{"simhash", bits, static_cast<unsigned>(params.whole("distance"))},
      std::make_unique<Signer>(std::move(features), bits == 128));
}

}  // namespace

MethodInfo simhash_method() {
  return {"simhash",
          "jieba's words by TF-IDF, the top 20, 64-bit SimHash, distance 3",
          "Charikar 2002; Manku, Jain, Das Sarma 2007",
          kParams,
          "fingerprint",
          kNeedsWords,
          make_simhash};
}

}  // namespace leitong
