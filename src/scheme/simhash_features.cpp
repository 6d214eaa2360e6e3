#include "scheme/simhash_features.hpp"

#include <array>
#include <memory>
#include <utility>

#include "base/hash.hpp"
#include "base/try.hpp"
#include "scheme/word_tools.hpp"
#include "text/segment/model.hpp"
#include "text/words.hpp"

namespace leitong {
namespace {

struct KindName {
  std::string_view name;
  FeatureKind kind;
};
constexpr std::array kKinds = {KindName{"words", FeatureKind::words}, KindName{"chars", FeatureKind::chars},
                               KindName{"word-ngrams", FeatureKind::word_ngrams}};

WordCut chosen_cut(const Params& params) { return params.choice("cut", word_cut_names(), &WordCutName::cut); }

bool is_quick(const ExtractorOptions& options, const Params& params) {
  return chosen_cut(params) == WordCut::mix && options.kind == FeatureKind::words &&
         options.hash == TermHash::xxh3 && options.weights == WeightScheme::tf_idf && options.top > 0 &&
         options.cap == 0 && params.text("model").empty() && params.text("thesaurus").empty() &&
         params.text("synonyms").empty();
}

}  // namespace

Result<std::shared_ptr<const WordList>> simhash_words(const Params& params, SchemeResources& resources) {
  return open_words(params, resources, chosen_cut(params));
}

Result<SimhashFeatures> SimhashFeatures::open(const Params& params, SchemeResources& resources) {
  const ExtractorOptions options{params.choice("features", kKinds, &KindName::kind),
                                 params.whole("n"),
                                 chosen_hash(params),
                                 params.choice("weights", weight_scheme_names(), &WeightSchemeName::scheme),
                                 params.whole("top"),
                                 params.number("cap")};
  SimhashFeatures features;
  if (is_quick(options, params)) {
    LEITONG_ASSIGN(auto segmenter, resources.dictionary());
    features.content_ = {word_table_id(), dictionary_id(*segmenter)};
    LEITONG_ASSIGN(features.quick_, TermExtractor::open(std::move(segmenter)));
    features.top_ = options.top;
    return features;
  }
  LEITONG_ASSIGN(features.meanings_, open_meanings(options, params));
  std::shared_ptr<const WordList> words;
  std::shared_ptr<const TermModel> model;
  if (options.kind != FeatureKind::chars) {
    LEITONG_ASSIGN(words, simhash_words(params, resources));
  } else if (!params.text("synonyms").empty()) {
    return fail(ErrorCode::invalid_argument,
                "the parameter synonyms is about words, and features=chars looks at none; leave one out",
                "synonyms");
  }
  if (options.kind == FeatureKind::words) {
    LEITONG_ASSIGN(model, open_model(params, *words, false));
  }
  features.content_ = words ? content_of_words(*words, params, model.get()) : content_of_units();
  if (features.meanings_)
    features.content_.model = mix64(features.content_.model) ^ features.meanings_->thesaurus.content_id();
  features.all_.emplace(options, std::move(words), std::move(model));
  return features;
}

Result<std::optional<SimhashFeatures::Meanings>> SimhashFeatures::open_meanings(
    const ExtractorOptions& options, const Params& params) {
  const std::string_view path = params.text("thesaurus");
  if (path.empty()) return std::nullopt;
  if (options.kind != FeatureKind::words || options.hash != TermHash::xxh3 || params.text("bits") != "64")
    return fail(ErrorCode::invalid_argument,
                "the parameter thesaurus goes with features=words, hash=xxh3 and bits=64 only", "params");
  LEITONG_ASSIGN(Thesaurus thesaurus, Thesaurus::load(path));
  return Meanings{std::move(thesaurus), params.number("meaning")};
}

void SimhashFeatures::extract(const DocumentView& document, SimhashSpace& space) const {
  if (quick_) {
    quick_->top(document.text, top_, space.quick, space.all.features);
    return;
  }
  all_->extract(document.text, document.units, space.all);
  if (!meanings_) return;
  // The hashes are the words' ids: open_meanings() accepts no others.
  for (Feature& feature : space.all.features)
    if (const auto group = meanings_->thesaurus.group(feature.hash))
      feature.hash = semantic_signature(feature.hash, *group, meanings_->weight, 1);
}

}  // namespace leitong
