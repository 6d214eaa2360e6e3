#include "feature/extractor.hpp"

#include <cassert>
#include <utility>

#include "feature/ngrams.hpp"

namespace leitong {

FeatureExtractor::FeatureExtractor(const ExtractorOptions& options, std::shared_ptr<const WordList> words,
                                   std::shared_ptr<const TermModel> model)
    : options_(options), words_(std::move(words)), model_(std::move(model)) {
  assert(words_ != nullptr || options.kind == FeatureKind::chars);
}

void FeatureExtractor::gather(std::string_view utf8, std::span<const Unit> units, FeatureSpace& space) const {
  space.occurrences.clear();
  switch (options_.kind) {
    case FeatureKind::words:
      words_->terms(utf8, options_.hash, space.cutting, space.occurrences);
      break;
    case FeatureKind::chars:
      unit_ngrams(units, options_.n, options_.hash, space.occurrences);
      break;
    case FeatureKind::word_ngrams:
      space.words.clear();
      words_->terms(utf8, TermHash::xxh3, space.cutting, space.words);
      word_ngrams(space.words, options_.n, options_.hash, space.occurrences);
      break;
  }
  leitong::gather(space.occurrences, space.gathering, space.bag);
}

void FeatureExtractor::weigh(WeightScheme scheme, std::size_t top, FeatureSpace& space) const {
  const bool known = options_.kind == FeatureKind::words && model_ != nullptr;
  space.idf.clear();
  for (const BagTerm& term : space.bag.terms) space.idf.push_back(known ? model_->idf(term.id) : 1.0f);
  leitong::weigh(space.bag, space.idf, scheme, space.weights);
  keep_heaviest(space.bag, top, space.weights);
}

void FeatureExtractor::list_features(FeatureSpace& space) {
  space.features.clear();
  for (const Weighted& each : space.weights)
    space.features.push_back({space.bag.terms[each.term].hash, each.weight});
}

void FeatureExtractor::extract(std::string_view utf8, std::span<const Unit> units,
                               FeatureSpace& space) const {
  gather(utf8, units, space);
  weigh(options_.weights, options_.top, space);
  cap_weights(options_.cap, space.weights);
  list_features(space);
}

}  // namespace leitong
