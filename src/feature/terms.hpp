// Text -> its most telling words, weighted by TF-IDF: the features of SimHash in the literature of web
// deduplication.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "base/pod_vector.hpp"
#include "feature/feature.hpp"
#include "leitong/result.hpp"
#include "text/segmenter.hpp"

namespace leitong {

/// Files that terms are weighed by.
struct TermFiles {
  std::filesystem::path idf;         ///< "word weight" a line
  std::filesystem::path stop_words;  ///< a word a line
};

/// Working space of TermExtractor::top(), one per thread.
struct TermScratch {
  std::unordered_map<std::uint64_t, std::uint32_t> counts;
};

/// Segment, drop stop words and symbols, weigh by TF-IDF, keep the heaviest. Thread-safe once loaded.
class TermExtractor {
 public:
  /// Fails with not_found or corrupt (naming file and line).
  static Result<TermExtractor> load(std::unique_ptr<const Segmenter> segmenter, const TermFiles& files);

  /// Writes the `count` heaviest terms, heaviest first and equal ones by rising hash, to `features`,
  /// replacing what was there. A term is a word of at least two characters, one of them a letter or digit,
  /// that is no stop word; its hash is its XXH3, its weight the number of its occurrences times its inverse
  /// document frequency. A word without one gets the median, as jieba does. (Dividing by the number of terms,
  /// as TF has it, would change no signature.)
  void top(std::string_view utf8, std::size_t count, TermScratch& scratch,
           PodVector<Feature>& features) const;

 private:
  TermExtractor() = default;

  std::unique_ptr<const Segmenter> segmenter_;
  std::unordered_map<std::uint64_t, float> idf_;  // 0 for stop words
  float median_idf_ = 0;
};

}  // namespace leitong
