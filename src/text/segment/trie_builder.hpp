// Turns words in symbols into the two tables of tables.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "leitong/result.hpp"
#include "text/segment/tables.hpp"

namespace leitong {

struct TrieWord {
  std::vector<Symbol> symbols;  ///< at least two
  std::uint32_t weight = 0;     ///< index; 0 for a word that segmentation never finds
  std::uint32_t id = kNoWord;
  double frequency = 0;  ///< words of similar frequency are stored close together
};

/// The arrays of SegmentTables, and the id of the word that ends at each slot, or kNoWord.
struct TrieArrays {
  std::vector<std::uint32_t> pilots;
  std::vector<std::uint32_t> pairs, pair_rows, pair_words;
  std::vector<std::uint32_t> longer, longer_rows, longer_words;
};

/// No two words may be equal. O(n log n). Fails with limit if there are too few bases (kBaseBits: some
/// millions of words).
Result<TrieArrays> build_trie(std::vector<TrieWord> words);

}  // namespace leitong
