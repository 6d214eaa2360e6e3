// The sections of a model file, for its writer and its reader.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/segment/tables.hpp"

namespace leitong {

inline constexpr std::string_view kModelKind = "segment-model";
inline constexpr std::uint32_t kModelVersion = 2;

/// Section "counts".
struct ModelCounts {
  std::uint32_t symbols = 0;           ///< including the kinds below kFirstSymbol
  std::uint32_t user_characters = 0;   ///< see SegmentTables
  std::uint32_t longest_word = 0;      ///< in characters
  std::uint32_t words = 0;             ///< words of all files, each once; all ids are below this
  std::uint32_t dictionary_words = 0;  ///< those that segmentation can find
  std::uint32_t weights = 0;           ///< number of distinct weights
};

/// Section "numbers"; all values are doubles.
struct ModelNumbers {
  double min_weight = 0;
  double mean_idf = 0, median_idf = 0;
  double start[kHmmStates] = {};
  double next[kHmmStates][kHmmStates] = {};
};

/// The values by which words are ranked, in section "words.rank".
struct WordRank {
  std::uint64_t prefix = 0;  ///< its first 8 bytes, the first one most significant, zero-padded
  double idf = 0;  ///< the inverse document frequency, kNoIdf, or 0 for words that are no keywords: stop
                   ///< words and single characters
};

/// A word as a term, in section "words.term".
struct [[gnu::packed, gnu::aligned(4)]] WordTerm {
  std::uint64_t hash = 0;  ///< word_hash()
  /// The inverse document frequency of a term (is_term() and no stop word): its own or, without one, the
  /// median; 0 for all other words.
  float idf = 0;
};

/// The word is not in the IDF file.
inline constexpr double kNoIdf = -1;

/// Bits in section "words.flags".
enum WordFlags : std::uint8_t {
  kInDictionary = 1,  ///< segmentation can find it
  kStopWord = 2,
};

}  // namespace leitong
