// Text -> its most telling words, weighted by TF-IDF: the features of SimHash in the literature of web
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

/// Working space of TermExtractor::top(), one per thread.
struct TermScratch {
  WordCounts counts;
};

/// Segment (by jieba; scripts that it doesn't know by their own rules), drop stop words and symbols, weigh by
/// TF-IDF, keep the heaviest. What is known of a word is an array look-up by its id, and nothing is allocated
/// per word. Thread-safe.
class TermExtractor {
 public:
  /// Compares the model's words with their checksums first.
  static Result<TermExtractor> open(std::shared_ptr<const SegmentModel> model, Simd level = simd_level());

  /// Writes the `count` heaviest terms, heaviest first and equal ones by rising hash, to `features`,
  /// replacing what was there. A term is a word of at least two characters, one of them a letter or digit,
  /// that is no stop word; its hash is its XXH3, its weight the number of its occurrences times its inverse
  /// document frequency. A word without one gets the median, as jieba does. (Dividing by the number of terms,
  /// as TF has it, would change no signature.) REQUIRES: as JiebaCutter.
  void top(std::string_view utf8, std::size_t count, TermScratch& scratch,
           PodVector<Feature>& features) const;

 private:
  explicit TermExtractor(JiebaCutter cutter) : cutter_(std::move(cutter)) {}
  JiebaCutter cutter_;
};

}  // namespace leitong
