// "simhash": words weighed by TF-IDF, one 64-bit fingerprint, Hamming distance 3, and the variants of it.
#include <array>
#include <optional>
#include <utility>

#include "dedup/method.hpp"
#include "dedup/methods/fingerprints.hpp"
#include "dedup/methods/word_tools.hpp"
#include "feature/terms.hpp"
#include "signature/semantic.hpp"
#include "signature/simhash.hpp"
#include "text/segment/model_store.hpp"

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
    ParamInfo{"thesaurus", "",
              "file of synonyms (Cilin, or lines word TAB group) or of word vectors (word2vec): words of one "
              "meaning agree in most bits, and so do antonyms that stand together there"},
    fraction_param("meaning", "2", 0, 8,
                   "with thesaurus: weight of a word's meaning; that of its own hash is 1")};

struct KindName {
  std::string_view name;
  FeatureKind kind;
};
constexpr std::array kKinds = {KindName{"words", FeatureKind::words}, KindName{"chars", FeatureKind::chars},
                               KindName{"word-ngrams", FeatureKind::word_ngrams}};

/// How words get their hashes where their meaning counts.
struct Meanings {
  Thesaurus thesaurus;
  double weight;
};

/// Any features and weights.
class Signer final : public Fingerprinter {
 public:
  Signer(FeatureExtractor extractor, bool wide, std::optional<Meanings> meanings)
      : extractor_(std::move(extractor)), wide_(wide), meanings_(std::move(meanings)) {}

  [[nodiscard]] std::optional<Fingerprint> sign(const DocumentView& document,
                                                FeatureSpace& space) const override {
    extractor_.extract(document.text, document.units, space);
    if (meanings_) hash_by_meaning(space.features);
    if (wide_) return simhash128(space.features);
    const auto fingerprint = simhash(space.features);
    return fingerprint ? std::optional(Fingerprint{*fingerprint, 0}) : std::nullopt;
  }

 private:
  // REQUIRES hashes that are the words' ids.
  void hash_by_meaning(std::span<Feature> features) const {
    for (Feature& feature : features)
      if (const auto group = meanings_->thesaurus.group(feature.hash))
        feature.hash = semantic_signature(feature.hash, *group, meanings_->weight, 1);
  }

  FeatureExtractor extractor_;
  bool wide_;
  std::optional<Meanings> meanings_;
};

/// The default: no word but the heaviest is looked at twice. The same bits as Signer.
class QuickSigner final : public Fingerprinter {
 public:
  QuickSigner(TermExtractor terms, std::size_t top) : terms_(std::move(terms)), top_(top) {}

  [[nodiscard]] std::optional<Fingerprint> sign(const DocumentView& document,
                                                FeatureSpace& space) const override {
    // One per thread, and not for every method of this kind to carry.
    thread_local TermScratch scratch;
    terms_.top(document.text, top_, scratch, space.features);
    const auto fingerprint = simhash(space.features);
    return fingerprint ? std::optional(Fingerprint{*fingerprint, 0}) : std::nullopt;
  }

 private:
  TermExtractor terms_;
  std::size_t top_;
};

bool is_quick(const ExtractorOptions& options, const Params& params) {
  return options.kind == FeatureKind::words && options.hash == TermHash::xxh3 &&
         options.weights == WeightScheme::tf_idf && options.top > 0 && options.cap == 0 &&
         params.text("model").empty() && params.text("thesaurus").empty() && params.text("bits") == "64";
}

Result<std::optional<Meanings>> open_meanings(const ExtractorOptions& options, const Params& params) {
  const std::string_view path = params.text("thesaurus");
  if (path.empty()) return std::nullopt;
  if (options.kind != FeatureKind::words || options.hash != TermHash::xxh3 || params.text("bits") != "64")
    return fail(ErrorCode::invalid_argument,
                "--param thesaurus goes with features=words, hash=xxh3 and bits=64 only");
  LEITONG_ASSIGN(Thesaurus thesaurus, Thesaurus::load(path));
  return Meanings{std::move(thesaurus), params.number("meaning")};
}

MadeMethod make_simhash(const MethodContext& context, const Params& params) {
  const ExtractorOptions options{params.choice("features", kKinds, &KindName::kind),
                                 params.whole("n"),
                                 chosen_hash(params),
                                 params.choice("weights", weight_scheme_names(), &WeightSchemeName::scheme),
                                 params.whole("top"),
                                 params.number("cap")};
  const auto bits = static_cast<unsigned>(params.whole("bits"));
  const FingerprintSettings settings{"simhash", bits, static_cast<unsigned>(params.whole("distance"))};
  if (is_quick(options, params)) {
    LEITONG_ASSIGN(auto segmenter, open_segment_model());
    LEITONG_ASSIGN(auto terms, TermExtractor::open(std::move(segmenter)));
    return std::make_unique<FingerprintMethod>(context, settings,
                                               std::make_unique<QuickSigner>(std::move(terms), options.top));
  }
  LEITONG_ASSIGN(auto meanings, open_meanings(options, params));
  std::shared_ptr<const WordList> words;
  std::shared_ptr<const TermModel> model;
  if (options.kind != FeatureKind::chars) {
    LEITONG_ASSIGN(words, open_words());
  }
  if (options.kind == FeatureKind::words) {
    LEITONG_ASSIGN(model, open_model(params, *words, false));
  }
  return std::make_unique<FingerprintMethod>(
      context, settings,
      std::make_unique<Signer>(FeatureExtractor(options, std::move(words), std::move(model)), bits == 128,
                               std::move(meanings)));
}

}  // namespace

MethodInfo simhash_method() {
  return {"simhash",
          "jieba's words by TF-IDF, the top 20, 64-bit SimHash, distance 3",
          "Charikar 2002; Manku, Jain, Das Sarma 2007",
          kParams,
          "fingerprint",
          make_simhash};
}

}  // namespace leitong
