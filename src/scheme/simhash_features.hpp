// What the scheme "simhash" sums up of a text, for whoever signs it and whoever wants to see it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "feature/extractor.hpp"
#include "feature/terms.hpp"
#include "leitong/result.hpp"
#include "scheme/params.hpp"
#include "scheme/resources.hpp"
#include "scheme/scheme.hpp"
#include "signature/semantic.hpp"

namespace leitong {

/// A document's features on their way, one per thread. The result is all.features.
struct SimhashSpace {
  FeatureSpace all;
  TermScratch quick;
};

/// The words of a text as simhash's parameters have them cut and replaced.
Result<std::shared_ptr<const WordList>> simhash_words(const Params& params, SchemeResources& resources);

/// Text -> weighted hashes by simhash's parameters. Thread-safe for different spaces.
class SimhashFeatures {
 public:
  /// `params`: simhash's.
  static Result<SimhashFeatures> open(const Params& params, SchemeResources& resources);

  /// Fills space.all.features, the heaviest first.
  void extract(const DocumentView& document, SimhashSpace& space) const;

  /// After extract(): the word that the i-th feature stands for, by its XXH3. REQUIRES features=words.
  [[nodiscard]] std::uint64_t word(const SimhashSpace& space, std::size_t i) const noexcept {
    return quick_ ? space.all.features[i].hash : space.all.bag.terms[space.all.weights[i].term].id;
  }

  /// What it looks things up in.
  [[nodiscard]] const SchemeContent& content() const noexcept { return content_; }

  /// Do words of one meaning get near hashes?
  [[nodiscard]] bool by_meaning() const noexcept { return meanings_.has_value(); }

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
  SchemeContent content_;
  std::optional<Meanings> meanings_;
};

}  // namespace leitong
