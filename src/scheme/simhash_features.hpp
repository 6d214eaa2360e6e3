// The features that the scheme "simhash" adds up for a text, to sign it or to show them.
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

/// The working space for the features of a document, one for each thread. The result is all.features.
struct SimhashSpace {
  FeatureSpace all;
  TermScratch quick;
};

/// The words of a text, cut and replaced as simhash's parameters say.
Result<std::shared_ptr<const WordList>> simhash_words(const Params& params, SchemeResources& resources);

/// Turns a text into weighted hashes by simhash's parameters. Thread-safe for different spaces.
class SimhashFeatures {
 public:
  /// `params` are those of simhash.
  static Result<SimhashFeatures> open(const Params& params, SchemeResources& resources);

  /// Fills space.all.features, the heaviest first.
  void extract(const DocumentView& document, SimhashSpace& space) const;

  /// After extract(): the word of the i-th feature, by its XXH3. REQUIRES features=words.
  [[nodiscard]] std::uint64_t word(const SimhashSpace& space, std::size_t i) const noexcept {
    return quick_ ? space.all.features[i].hash : space.all.bag.terms[space.all.weights[i].term].id;
  }

  /// The content of the dictionaries and models that it uses.
  [[nodiscard]] const SchemeContent& content() const noexcept { return content_; }

  /// True if words of one meaning get similar hashes.
  [[nodiscard]] bool by_meaning() const noexcept { return meanings_.has_value(); }

 private:
  /// How words get their hashes if their meaning counts.
  struct Meanings {
    Thesaurus thesaurus;
    double weight;
  };

  SimhashFeatures() = default;

  static Result<std::optional<Meanings>> open_meanings(const ExtractorOptions& options, const Params& params);

  // Exactly one of the next two is set. This one is for words by TF-IDF and jieba's own IDF, and computes
  // only weights for all but the heaviest; the other one handles all parameters.
  std::optional<TermExtractor> quick_;
  std::optional<FeatureExtractor> all_;
  std::size_t top_ = 0;
  SchemeContent content_;
  std::optional<Meanings> meanings_;
};

}  // namespace leitong
