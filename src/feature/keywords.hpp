// A text's keywords by TF-IDF, as jieba's users know them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "feature/word_counts.hpp"
#include "leitong/result.hpp"
#include "leitong/segment.hpp"

namespace leitong {

/// Working space of KeywordExtractor, one per thread.
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

/// cppjieba's KeywordExtractor: the words of two characters and more that are no stop words, each weighing
/// its occurrences times its inverse document frequency (the mean of all for a word without one). The same
/// words, weights and order, equal weights included: that one follows from the words' bytes and from how
/// std::partial_sort moves them, and is replayed without sorting them all. Thread-safe.
class KeywordExtractor {
 public:
  /// Compares the model's words with their checksums first. With Scripts::all texts in scripts that jieba
  /// doesn't know have keywords, too: its own tokens are single letters there, and those count for nothing.
  static Result<KeywordExtractor> open(std::shared_ptr<const SegmentModel> model,
                                       Scripts scripts = Scripts::jieba, Simd level = simd_level());

  /// The `count` heaviest, heaviest first. REQUIRES: as JiebaCutter. Linear.
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
};

}  // namespace leitong
