// What the method "simhash" sums up of a text, for whoever signs it and whoever wants to see it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "dedup/method.hpp"
#include "dedup/params.hpp"
#include "feature/extractor.hpp"
#include "feature/terms.hpp"
#include "leitong/result.hpp"
#include "signature/semantic.hpp"
#include "text/segment/model_store.hpp"

namespace leitong {

/// Text -> weighted hashes by simhash's parameters. Thread-safe for different spaces.
class SimhashFeatures {
 public:
  /// `params`: simhash's. `choice`: the dictionary, other than the methods' own for trials only.
  static Result<SimhashFeatures> open(const Params& params, const ModelChoice& choice = {});

  /// Fills space.features, the heaviest first.
  void extract(const DocumentView& document, FeatureSpace& space) const;

  /// After extract(): the word that the i-th feature stands for, by its XXH3. REQUIRES features=words.
  [[nodiscard]] std::uint64_t word(const FeatureSpace& space, std::size_t i) const noexcept {
    return quick_ ? space.features[i].hash : space.bag.terms[space.weights[i].term].id;
  }

 private:
  /// How words get their hashes where their meaning counts.
  struct Meanings {
    Thesaurus thesaurus;
    double weight;
  };

  SimhashFeatures() = default;

  static Result<std::optional<Meanings>> open_meanings(const ExtractorOptions& options, const Params& params);

  // One of the two: words by TF-IDF and jieba's own IDF, of which none but the heaviest is looked at twice;
  // or anything.
  std::optional<TermExtractor> quick_;
  std::optional<FeatureExtractor> all_;
  std::size_t top_ = 0;
  std::optional<Meanings> meanings_;
};

}  // namespace leitong
