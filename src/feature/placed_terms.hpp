// Finds the most significant words of a text and their places, for signatures that depend on order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/pod_vector.hpp"
#include "feature/bag.hpp"
#include "feature/extractor.hpp"
#include "feature/j_tidf.hpp"
#include "feature/term_hash.hpp"
#include "feature/term_model.hpp"
#include "feature/weights.hpp"
#include "feature/word_counts.hpp"
#include "feature/words.hpp"
#include "leitong/feature.hpp"

namespace leitong {

/// The working space for the placed words of a document, one for each thread.
struct PlacedSpace {
  struct Chosen {
    std::uint64_t hash;  // XXH3
    float weight;
    std::uint32_t word;  // known words by their place, then unknown ones
  };
  WordCounts counts;
  PodVector<Chosen> chosen;
  PodVector<std::uint32_t> role, next, token;
  PodVector<std::uint64_t> ids;
  std::vector<std::span<const Partner>> partners;
  FeatureSpace all;  // all words, where some are replaced

  /// The chosen words (all words, if some are replaced); `occurrences` counts all terms.
  Bag bag;
  PodVector<Weighted> weights;  ///< weights of bag.terms, the heaviest first
  PodVector<PlacedFeature> placed;
};

/// Segments a text and keeps its heaviest terms by TF-IDF, as FeatureExtractor::gather() and weigh() do, but
/// looks words up by their number in the dictionary and collects only the places of the terms that are kept.
/// Thread-safe for different spaces.
class PlacedTerms {
 public:
  /// Without a `model` the IDF is the dictionary's own. REQUIRES a model for `words` with synonyms.
  PlacedTerms(std::shared_ptr<const WordList> words, TermHash hash, std::shared_ptr<const TermModel> model);

  /// Fills space.bag and space.weights with the `count` heaviest terms; 0: all.
  void extract(std::string_view utf8, std::size_t count, PlacedSpace& space) const;

  /// Applies J-Tidf (feature/j_tidf.hpp) to space.weights. REQUIRES a trained model.
  void share_weights(PlacedSpace& space) const;

  /// Fills space.placed from space.weights and space.bag.
  static void list_placed(PlacedSpace& space);

  /// May be null.
  [[nodiscard]] const TermModel* model() const noexcept { return model_.get(); }

 private:
  void extract_replaced(std::string_view utf8, std::size_t count, PlacedSpace& space) const;
  void choose(std::string_view utf8, std::size_t count, PlacedSpace& space) const;
  static void place(PlacedSpace& space);

  std::shared_ptr<const WordList> words_;
  TermHash hash_;
  std::shared_ptr<const TermModel> model_;
  std::optional<FeatureExtractor> every_word_;  // used if some words are replaced
};

}  // namespace leitong
