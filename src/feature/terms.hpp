// Finds the most significant words of a text by TF-IDF: the features of SimHash in the literature of web
// deduplication.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/pod_vector.hpp"
#include "feature/word_counts.hpp"
#include "leitong/feature.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The working space of TermExtractor::top(), one for each thread.
struct TermScratch {
  WordCounts counts;
};

/// Segments a text (by jieba; scripts that it does not know by their own rules), drops stop words and
/// symbols, weighs the words by TF-IDF and keeps the heaviest. The properties of a word are array lookups by
/// its id, and nothing is allocated for a word. Thread-safe.
class TermExtractor {
 public:
  /// Compares the model's words with their checksums first.
  static Result<TermExtractor> open(std::shared_ptr<const SegmentModel> model, Simd level = simd_level());

  /// Replaces `features` by the `count` heaviest terms, heaviest first and equal ones by ascending hash. A
  /// term is a word of at least two characters, one of them a letter or digit, that is no stop word. Its hash
  /// is its XXH3; its weight is the number of its occurrences times its inverse document frequency. A word
  /// without a frequency gets the median, as in jieba. (Dividing by the number of terms, as TF does, would
  /// change no signature.) REQUIRES: as JiebaCutter.
  void top(std::string_view utf8, std::size_t count, TermScratch& scratch,
           PodVector<Feature>& features) const;

 private:
  explicit TermExtractor(JiebaCutter cutter) : cutter_(std::move(cutter)) {}
  JiebaCutter cutter_;
};

}  // namespace leitong
