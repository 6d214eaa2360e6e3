// The interface between JiebaCutter and its vector kernels. Internal to src/text.
//
// A chunk goes through stages that each process all of it: bytes to symbols (cut_scan.hpp), dictionary words
// and the most likely path through them (cut_words.hpp), the hidden Markov model for what remains
// (cut_hmm.hpp), token starts. Stages exchange arrays by symbol number and bitmaps.
//
// Included by translation units with different instruction sets: see tables.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "text/segment/tables.hpp"

namespace leitong {

/// The longest chunk in bytes. (A longer one, without a separator in so many bytes, is cut by
/// general_cut.hpp.)
inline constexpr std::size_t kMaxKernelChunk = 16384;
/// The bytes that must be readable after a chunk, and the spare elements after every array: kernels process
/// whole vectors.
inline constexpr std::size_t kKernelSlack = 128;
/// The most words of three and more characters that may be found in a chunk.
inline constexpr std::size_t kMaxCandidates = 4 * kMaxKernelChunk;
/// The number of elements of arrays that hold one bit for each byte or symbol.
inline constexpr std::size_t kBitmapWords = kMaxKernelChunk / 64 + 4;

/// A dictionary word of three and more characters. Those that begin at one symbol form a list.
struct LongWord {
  double weight;
  std::uint32_t length;
  std::uint32_t next;  ///< index, or 0
};

/// A run of characters for the hidden Markov model.
struct HmmRun {
  std::uint32_t begin;   ///< number of its first symbol
  std::uint32_t length;  ///< at least two
  bool ends_word;        ///< an unknown character follows, and a word ends before it in any case
};

/// The arrays of one chunk, aligned to 64 bytes. They are not cleared between chunks.
struct CutBuffers {
  std::uint8_t* text;  ///< room for a copy of the chunk, if it is too near to the end of its text
  // For each symbol of the chunk:
  Symbol* symbols;
  double* pair_weights;   ///< weight of the word of this symbol and the next
  double* single_sums;    ///< weight of the path on which this symbol is a word of its own
  double* best;           ///< weight of the best path
  std::uint64_t* keeps;   ///< all bits, or none where a sum starts again
  std::uint32_t* heads;   ///< head of the list of candidates, or 0; later the length of the word
  std::uint8_t* lengths;  ///< length of the word that begins here on the best path
  std::uint8_t* starts;   ///< 1 where a word begins
  std::uint8_t* choices;  ///< the predecessors of one Viterbi run
  std::uint32_t *list_places, *list_slots, *long_places;
  std::uint32_t* candidate_places;
  LongWord* candidates;
  HmmRun *pairs, *runs, *sorted_runs;
  // Bitmaps by symbol: a word begins; the model may join it; it is unknown.
  std::uint64_t *word_starts, *alone, *unknown;
  // Bitmaps by byte: a symbol begins; the byte is not ASCII; an ASCII token begins.
  std::uint64_t *symbol_bytes, *wide_bytes, *ascii_starts;
};

enum class CutOutcome {
  done,
  /// There may be a dictionary word with ASCII at `place`: general_cut.hpp must cut the range between
  /// separators.
  trigger,
  crowded,  ///< more than kMaxCandidates: general_cut.hpp must cut the chunk
};

struct CutResult {
  CutOutcome outcome;
  std::size_t place;   ///< byte of the chunk
  std::uint32_t* end;  ///< after the last start written
};

/// Cuts the chunk [text, text + size), as chunk_end() makes them, with kKernelSlack readable bytes after it.
/// Writes base + the byte at which each token begins to `starts`, which has room for size + kKernelSlack.
/// REQUIRES: valid UTF-8, 0 < size <= kMaxKernelChunk.
using CutKernel = CutResult (*)(const SegmentTables& tables, const std::uint8_t* text, std::size_t size,
                                bool hmm, CutBuffers& buffers, std::uint32_t base, std::uint32_t* starts);

CutResult cut_avx2(const SegmentTables& tables, const std::uint8_t* text, std::size_t size, bool hmm,
                   CutBuffers& buffers, std::uint32_t base, std::uint32_t* starts);
CutResult cut_avx512(const SegmentTables& tables, const std::uint8_t* text, std::size_t size, bool hmm,
                     CutBuffers& buffers, std::uint32_t base, std::uint32_t* starts);

}  // namespace leitong
