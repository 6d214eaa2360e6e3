// Words in symbols -> the two tables of tables.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "leitong/result.hpp"
#include "text/segment/tables.hpp"

namespace leitong {

struct TrieWord {
  std::vector<Symbol> symbols;  ///< two at least
  std::uint32_t weight = 0;     ///< index, 0 for a word that is never cut out
  std::uint32_t id = kNoWord;
  double frequency = 0;  ///< what is common lies together
};

/// The arrays of SegmentTables, and the id of the word that ends at each slot, or kNoWord.
struct TrieArrays {
  std::vector<std::uint32_t> pilots;
  std::vector<std::uint32_t> pairs, pair_rows, pair_words;
  std::vector<std::uint32_t> longer, longer_rows, longer_words;
};

/// No two words are alike. O(n log n). Fails with limit where bases don't suffice (kBaseBits: some millions
/// of words).
Result<TrieArrays> build_trie(std::vector<TrieWord> words);

}  // namespace leitong
