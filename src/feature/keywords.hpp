// The keywords of a text by TF-IDF, with the results that jieba gives.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "feature/word_counts.hpp"
#include "leitong/result.hpp"
#include "leitong/segment.hpp"

namespace leitong {

/// The working space of KeywordExtractor, one for each thread.
class KeywordScratch {
  friend class KeywordExtractor;
  struct Entry {
    double weight;
    std::uint64_t prefix;  // word_prefix()
    std::uint32_t word;    // id, or kUnknown and an index
    std::uint32_t bucket;
  };
  WordCounts counts;
  PodVector<Entry> entries, sorted, heap;
};

/// Implements cppjieba's KeywordExtractor: the words of two and more characters that are no stop words, with
/// the number of occurrences times the inverse document frequency as weight (for a word without a frequency,
/// the mean of all). Words, weights and order are the same as in cppjieba, even for equal weights. That order
/// follows from the bytes of the words and from how std::partial_sort moves them; it is reproduced without
/// sorting all words. Thread-safe.
class KeywordExtractor {
 public:
  /// Compares the model's words with their checksums first. With Scripts::all, texts in scripts that jieba
  /// does not know have keywords, too: in these scripts jieba's own tokens are single letters, which do not
  /// count.
  static Result<KeywordExtractor> open(std::shared_ptr<const SegmentModel> model,
                                       Scripts scripts = Scripts::jieba, Simd level = simd_level());

  /// Phrases count as one word each from now on, with the mean weight.
  void use(std::shared_ptr<const Phrases> phrases) { phrases_ = std::move(phrases); }

  /// Returns the `count` heaviest, heaviest first. REQUIRES: as JiebaCutter. Linear.
  void extract(std::string_view utf8, std::size_t count, KeywordScratch& scratch,
               std::vector<Keyword>& keywords) const;

 private:
  KeywordExtractor(JiebaCutter cutter, Scripts scripts) : cutter_(std::move(cutter)), scripts_(scripts) {}
  using Entry = KeywordScratch::Entry;
  void weigh(std::string_view utf8, KeywordScratch& scratch) const;
  [[nodiscard]] std::string_view word(std::string_view utf8, const KeywordScratch& scratch,
                                      const Entry& entry) const;

  JiebaCutter cutter_;
  Scripts scripts_;
  std::shared_ptr<const Phrases> phrases_;  // null: none
};

}  // namespace leitong
