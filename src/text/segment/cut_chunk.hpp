// Runs all stages of a vector kernel. Internal linkage: see tables.hpp.
#pragma once

#include <immintrin.h>

#include "text/segment/cut_hmm.hpp"
#include "text/segment/cut_scan.hpp"
#include "text/segment/cut_words.hpp"

namespace leitong {
namespace {

/// Bitmaps end with the last symbol. The end counts as the beginning of a word.
inline void trim_bitmaps(std::size_t count, CutBuffers& buffers) {
  const std::size_t word = count / 64;
  const std::uint64_t live = (std::uint64_t{1} << count % 64) - 1;
  buffers.alone[word] &= live;
  buffers.unknown[word] &= live;
  buffers.word_starts[word + 1] = buffers.alone[word + 1] = buffers.unknown[word + 1] = 0;
}

/// `Isa` has the types Block, Words and Viterbi of the stages, and
///   Isa::bitmaps(tables, count, buffers)      word_starts, alone and unknown from starts and symbols
///   Isa::places(bits, base, out)              base + the number of each set bit; may write 64; returns the
///   end
template <class Isa>
CutResult cut_chunk(const SegmentTables& tables, const std::uint8_t* text, std::size_t size, bool hmm,
                    CutBuffers& buffers, std::uint32_t base, std::uint32_t* starts) {
  const std::int64_t scanned = scan<typename Isa::Block>(tables, text, size, hmm, buffers);
  if (scanned < 0) return {CutOutcome::trigger, static_cast<std::size_t>(~scanned), starts};
  const auto count = static_cast<std::size_t>(scanned);
  if (!find_words<typename Isa::Words>(tables, count, buffers)) return {CutOutcome::crowded, 0, starts};
  Isa::bitmaps(tables, count, buffers);
  trim_bitmaps(count, buffers);
  if (hmm) join_words<typename Isa::Viterbi>(tables, count, buffers);

  std::size_t symbol = 0;
  for (std::size_t at = 0, i = 0; at < size; at += 64, ++i) {
    const std::uint64_t bytes = buffers.symbol_bytes[i];
    const std::uint64_t words = _pdep_u64(bits_at(buffers.word_starts, symbol), bytes);
    symbol += static_cast<unsigned>(__builtin_popcountll(bytes));
    // ASCII symbols follow the rules for ASCII tokens and not the words, which mark all of them as single.
    starts = Isa::places((words & buffers.wide_bytes[i]) | buffers.ascii_starts[i],
                         base + static_cast<std::uint32_t>(at), starts);
  }
  return {CutOutcome::done, 0, starts};
}

}  // namespace
}  // namespace leitong
