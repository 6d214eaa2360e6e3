// The compiled dictionary in the form that kernels use: plain arrays, and the lookups that all kernels share.
// Internal to src/text/segment.
//
// Included by translation units with different instruction sets: all code here has internal linkage and uses
// nothing of the standard library.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong {

/// A character of the dictionary, numbered in order of frequency; the three lowest numbers are kinds of
/// characters.
using Symbol = std::uint16_t;
inline constexpr std::size_t kPlaneSize = 1u << 16;  ///< code points of the first plane
inline constexpr Symbol kUnknownSymbol = 0;          ///< in no word, and without emissions
inline constexpr Symbol kSeparatorSymbol = 1;        ///< see is_separator()
inline constexpr Symbol kAsciiSymbol = 2;  ///< means ASCII where no dictionary word with ASCII is possible
inline constexpr Symbol kFirstSymbol = 3;  ///< the user dictionary's single characters come first

inline constexpr unsigned kSymbolBits = 14, kWeightBits = 13, kBaseBits = 19;
inline constexpr std::uint32_t kMaxSymbols = 1u << kSymbolBits, kMaxWeights = 1u << kWeightBits;
/// The longest word in characters. (The longest of jieba's own has 16.)
inline constexpr std::uint32_t kMaxWordLength = 255;
/// The value for "no such word".
inline constexpr std::uint32_t kNoWord = 0xFFFFFFFF;
/// cppjieba's logarithm of zero. It does not change when something is added to it.
inline constexpr double kLogZero = -3.14e+100;

/// States of the hidden Markov model: a character begins, ends or continues a word, or is one. Those after
/// which a word ends are odd.
enum HmmState : unsigned { kBegin = 0, kEnd = 1, kMiddle = 2, kSingle = 3, kHmmStates = 4 };

/// A character above U+FFFF, with its symbol.
struct SymbolAbove {
  std::uint32_t point;
  std::uint32_t symbol;
};

/// Dictionary words as a trie in two tables. The first two symbols of a word are hashed, one to one, to 28
/// bits: 15 of these select a group and with it a pilot, to which the other 13 are added. Deeper nodes are at
/// base + symbol of a row. No two groups have the same pilot and no two rows the same base, so comparing the
/// 13 bits or the symbol is exact. Nodes have 32 bits: check, weight index, and a small Bloom filter of the
/// symbols that may follow. A parallel array holds the base of the row and a larger filter.
struct SegmentTables {
  const std::uint16_t* symbols;  ///< symbol of each code point below U+10000
  /// The same with kAsciiSymbol for ASCII characters that do not separate.
  const std::uint16_t* text_symbols;
  const double* single_weights;  ///< weight of each symbol as a word of its own
  const std::uint32_t* pilots;   ///< 1 << kGroupBits
  const std::uint32_t *pairs, *pair_rows;
  const std::uint32_t *longer, *longer_rows;
  const double* weights;    ///< logarithms of frequencies; [0] is -infinity, for no word
  const double* emissions;  ///< kHmmStates values for each symbol
  /// 256 values for first and 256 for second bytes: a bit for each kind of words with ASCII.
  const std::uint8_t* triggers;
  std::uint8_t first_nibbles[32];  ///< the bits of first bytes by low, then by high nibble
  const SymbolAbove* above;        ///< sorted by code point
  std::uint32_t above_count;
  double start[kHmmStates];
  double next[kHmmStates][kHmmStates];
  /// Number of symbols from kFirstSymbol on that are words of the user dictionary.
  std::uint32_t user_characters;
  std::uint32_t longest_word;
};

inline constexpr unsigned kGroupBits = 15, kColumnBits = 13, kPairFilterBits = 6, kNodeFilterBits = 5,
                          kRowFilterBits = 13;
inline constexpr std::uint32_t kGroups = 1u << kGroupBits, kColumns = 1u << kColumnBits;

namespace {

/// The characters at which jieba cuts first.
[[maybe_unused]] constexpr bool is_separator(std::uint32_t point) {
  return point == ' ' || point == '\t' || point == '\n' || point == 0xFF0C || point == 0x3002;
}

/// One to one for symbols below kMaxSymbols; 28 bits: group and column.
[[maybe_unused]] constexpr std::uint32_t pair_key(std::uint32_t first, std::uint32_t second) {
  const std::uint32_t key = ((first << kSymbolBits | second) * 0x9E3779B1u) & 0xFFFFFFFu;
  return key ^ key >> 15;
}

// A bit of a filter: the high half of a 16-bit product, scaled. 16 bits are used because vector units
// multiply those.
[[maybe_unused]] constexpr std::uint32_t scaled_hash(std::uint32_t symbol, std::uint32_t factor,
                                                     std::uint32_t bits) {
  return ((symbol * factor) & 0xFFFFu) * bits >> 16;
}
inline constexpr std::uint32_t kSmallFilterFactor = 0x9E37u, kRowFilterFactor = 0x85EBu;
[[maybe_unused]] constexpr std::uint32_t pair_filter(std::uint32_t symbol) {
  return scaled_hash(symbol, kSmallFilterFactor, kPairFilterBits);
}
[[maybe_unused]] constexpr std::uint32_t node_filter(std::uint32_t symbol) {
  return scaled_hash(symbol, kSmallFilterFactor, kNodeFilterBits);
}
[[maybe_unused]] constexpr std::uint32_t row_filter(std::uint32_t symbol) {
  return scaled_hash(symbol, kRowFilterFactor, kRowFilterBits);
}

[[maybe_unused]] constexpr std::uint32_t pair_entry(std::uint32_t column, std::uint32_t weight,
                                                    std::uint32_t filter) {
  return column << (kWeightBits + kPairFilterBits) | weight << kPairFilterBits | filter;
}
[[maybe_unused]] constexpr std::uint32_t pair_check(std::uint32_t entry) {
  return entry >> (kWeightBits + kPairFilterBits);
}
[[maybe_unused]] constexpr std::uint32_t pair_weight(std::uint32_t entry) {
  return entry >> kPairFilterBits & (kMaxWeights - 1);
}
[[maybe_unused]] constexpr std::uint32_t node_entry(std::uint32_t symbol, std::uint32_t weight,
                                                    std::uint32_t filter) {
  return symbol << (kWeightBits + kNodeFilterBits) | weight << kNodeFilterBits | filter;
}
[[maybe_unused]] constexpr std::uint32_t node_check(std::uint32_t entry) {
  return entry >> (kWeightBits + kNodeFilterBits);
}
[[maybe_unused]] constexpr std::uint32_t node_weight(std::uint32_t entry) {
  return entry >> kNodeFilterBits & (kMaxWeights - 1);
}
[[maybe_unused]] constexpr std::uint32_t row_entry(std::uint32_t base, std::uint32_t filter) {
  return base << kRowFilterBits | filter;
}
[[maybe_unused]] constexpr std::uint32_t row_base(std::uint32_t entry) { return entry >> kRowFilterBits; }

/// A node of the trie below its first level.
struct TrieNode {
  std::uint32_t slot;
  std::uint32_t entry;
  bool found;
};

[[maybe_unused]] inline TrieNode find_pair(const SegmentTables& tables, Symbol first, Symbol second) {
  const std::uint32_t key = pair_key(first, second);
  const std::uint32_t column = key & (kColumns - 1);
  const std::uint32_t slot = tables.pilots[key >> kColumnBits] + column;
  const std::uint32_t entry = tables.pairs[slot];
  // An empty slot may be taken for column 0; it has no weight, no filter bits and no word.
  return {slot, entry, pair_check(entry) == column};
}

/// The node below a node of the pair table (`row` from pair_rows) or of the longer table (longer_rows).
[[maybe_unused]] inline TrieNode find_next(const SegmentTables& tables, std::uint32_t row, Symbol symbol) {
  const std::uint32_t slot = row_base(row) + symbol;
  const std::uint32_t entry = tables.longer[slot];
  return {slot, entry, entry != 0 && node_check(entry) == symbol};
}

/// The symbol of a character above U+FFFF. (Most dictionaries have none.)
[[maybe_unused]] inline Symbol symbol_above(const SegmentTables& tables, std::uint32_t point) {
  std::uint32_t begin = 0, end = tables.above_count;
  while (begin < end) {
    const std::uint32_t middle = (begin + end) / 2;
    if (tables.above[middle].point < point)
      begin = middle + 1;
    else
      end = middle;
  }
  const bool found = begin < tables.above_count && tables.above[begin].point == point;
  return found ? static_cast<Symbol>(tables.above[begin].symbol) : kUnknownSymbol;
}
/// Finds it by its four bytes.
[[maybe_unused]] inline Symbol symbol_above(const SegmentTables& tables, const std::uint8_t* p) {
  return symbol_above(tables, (p[0] & 7u) << 18 | (p[1] & 63u) << 12 | (p[2] & 63u) << 6 | (p[3] & 63u));
}

/// True if the hidden Markov model may join a character that is in no longer word.
[[maybe_unused]] inline bool takes_part_in_hmm(const SegmentTables& tables, Symbol symbol) {
  return symbol != kSeparatorSymbol &&
         static_cast<std::uint32_t>(symbol - kFirstSymbol) >= tables.user_characters;
}

}  // namespace
}  // namespace leitong
