// Turns a text into weighted features for the SimHash family. The options say which features, how many, and
// with which weights.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "feature/bag.hpp"
#include "feature/term_model.hpp"
#include "feature/weights.hpp"
#include "feature/words.hpp"
#include "leitong/feature.hpp"
#include "text/units.hpp"

namespace leitong {

enum class FeatureKind {
  words,        ///< terms of the text
  chars,        ///< runs of n units (text/units.hpp)
  word_ngrams,  ///< runs of n terms
};

struct ExtractorOptions {
  FeatureKind kind = FeatureKind::words;
  std::size_t n = 1;  ///< length of the runs
  TermHash hash = TermHash::xxh3;
  WeightScheme weights = WeightScheme::tf_idf;
  std::size_t top = 20;  ///< number of the heaviest features that are kept; 0: all
  double cap = 0;        ///< the most that a weight may be, in medians; 0: no limit
};

/// The working space for the features of a document, one for each thread.
struct FeatureSpace {
  WordSpace cutting;
  PodVector<Occurrence> words, occurrences;
  BagScratch gathering;
  Bag bag;
  PodVector<float> idf;
  PodVector<Weighted> weights;
  PodVector<Feature> features;
};

/// Thread-safe for different spaces.
class FeatureExtractor {
 public:
  /// `words` may be null for FeatureKind::chars. `model` gives the IDF of words; without it, and for n-grams,
  /// which no model has, it is 1.
  FeatureExtractor(const ExtractorOptions& options, std::shared_ptr<const WordList> words,
                   std::shared_ptr<const TermModel> model);

  /// Fills space.bag.
  void gather(std::string_view utf8, std::span<const Unit> units, FeatureSpace& space) const;
  /// Fills space.weights from space.bag by `scheme`, with the `top` heaviest (0: all).
  void weigh(WeightScheme scheme, std::size_t top, FeatureSpace& space) const;

  /// Does all steps by the options and fills space.features, the heaviest first; among equals the one with
  /// the smaller id comes first.
  void extract(std::string_view utf8, std::span<const Unit> units, FeatureSpace& space) const;

  /// Fills space.features from space.weights.
  static void list_features(FeatureSpace& space);

  [[nodiscard]] const ExtractorOptions& options() const noexcept { return options_; }
  [[nodiscard]] const TermModel* model() const noexcept { return model_.get(); }

 private:
  ExtractorOptions options_;
  std::shared_ptr<const WordList> words_;
  std::shared_ptr<const TermModel> model_;
};

}  // namespace leitong
