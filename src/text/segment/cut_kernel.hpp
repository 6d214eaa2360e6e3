// The seam between JiebaCutter and its vector kernels. Internal to src/text.
//
// A chunk goes through stages that each run over all of it: bytes to symbols (cut_scan.hpp), dictionary words
// and the likeliest way through them (cut_words.hpp), the hidden Markov model over what was left alone
// (cut_hmm.hpp), token starts. Between stages lie arrays by symbol number and bitmaps.
//
// Included by translation units with different instruction sets: see tables.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "text/segment/tables.hpp"

namespace leitong {

/// Longest chunk in bytes. (A longer one, without a separator in so many bytes, is cut by the plain loops.)
inline constexpr std::size_t kMaxKernelChunk = 16384;
/// Readable bytes behind a chunk, and elements behind every array: kernels work in whole vectors.
inline constexpr std::size_t kKernelSlack = 128;
/// Words of three characters and more that may be found in a chunk.
inline constexpr std::size_t kMaxCandidates = 4 * kMaxKernelChunk;
/// Elements of the arrays that hold one bit a byte or symbol.
inline constexpr std::size_t kBitmapWords = kMaxKernelChunk / 64 + 4;

/// A dictionary word of three characters and more. Those that begin at one symbol are a list.
struct LongWord {
  double weight;
  std::uint32_t length;
  std::uint32_t next;  ///< index, or 0
};

/// A run of characters for the hidden Markov model.
struct HmmRun {
  std::uint32_t begin;   ///< symbol
  std::uint32_t length;  ///< two at least
  bool ends_word;        ///< an unknown character follows, before which a word ends whatever the model says
};

/// The arrays of one chunk, aligned to 64 bytes. Left as they are between chunks.
struct CutBuffers {
  std::uint8_t* text;  ///< room for a copy of the chunk, if it stands too close to its text's end
  // By symbol of the chunk:
  Symbol* symbols;
  double* pair_weights;   ///< of the word of this symbol and the next
  double* single_sums;    ///< weight of the way on which this symbol is a word of its own
  double* best;           ///< weight of the best way
  std::uint64_t* keeps;   ///< all bits, or none where a sum starts afresh
  std::uint32_t* heads;   ///< of the list of candidates, or 0; then the word's length
  std::uint8_t* lengths;  ///< of the word that begins here on the best way
  std::uint8_t* starts;   ///< 1 where a word begins
  std::uint8_t* choices;  ///< the way back of one Viterbi
  std::uint32_t *list_places, *list_slots, *long_places;
  std::uint32_t* candidate_places;
  LongWord* candidates;
  HmmRun *pairs, *runs, *sorted_runs;
  // Bitmaps by symbol: a word begins; the model may join it; it is unknown.
  std::uint64_t *word_starts, *alone, *unknown;
  // Bitmaps by byte: a symbol begins; the byte isn't ASCII; an ASCII token begins.
  std::uint64_t *symbol_bytes, *wide_bytes, *ascii_starts;
};

enum class CutOutcome {
  done,
  trigger,  ///< a dictionary word with ASCII may stand at `place`: the range between separators is for plain
            ///< loops
  crowded,  ///< more than kMaxCandidates: the chunk is for plain loops
};

struct CutResult {
  CutOutcome outcome;
  std::size_t place;   ///< byte of the chunk
  std::uint32_t* end;  ///< behind the last start written
};

/// Cuts the chunk [text, text + size), as chunk_end() makes them, with kKernelSlack readable bytes behind it;
/// writes base + the byte at which each token begins to `starts`, which has room for size + kKernelSlack.
/// REQUIRES: valid UTF-8, 0 < size <= kMaxKernelChunk.
using CutKernel = CutResult (*)(const SegmentTables& tables, const std::uint8_t* text, std::size_t size,
                                bool hmm, CutBuffers& buffers, std::uint32_t base, std::uint32_t* starts);

CutResult cut_avx2(const SegmentTables& tables, const std::uint8_t* text, std::size_t size, bool hmm,
                   CutBuffers& buffers, std::uint32_t base, std::uint32_t* starts);
CutResult cut_avx512(const SegmentTables& tables, const std::uint8_t* text, std::size_t size, bool hmm,
                     CutBuffers& buffers, std::uint32_t base, std::uint32_t* starts);

}  // namespace leitong
