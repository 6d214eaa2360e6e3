// The second stage: finds dictionary words, and the most likely path through them. Internal linkage: see
// tables.hpp.
#pragma once

#include <immintrin.h>

#include "text/segment/cut_kernel.hpp"

namespace leitong {
namespace {

/// Finds words of three and more characters, level by level over the list of places where the filter of the
/// pair table lets one begin. Everything is prefetched for the whole list before it is read. Returns false if
/// there are too many.
inline bool find_longer_words(const SegmentTables& tables, std::size_t count, std::size_t listed,
                              CutBuffers& buffers) {
  const Symbol* const symbols = buffers.symbols;
  std::uint32_t* const places = buffers.list_places;
  std::uint32_t* const slots = buffers.list_slots;
  for (std::size_t i = 0; i < count + 1; ++i) buffers.heads[i] = 0;
  const std::uint32_t* rows = tables.pair_rows;
  std::size_t found = 1;  // 0 ends lists
  for (std::uint32_t length = 3; listed > 0; ++length, rows = tables.longer_rows) {
    for (std::size_t i = 0; i < listed; ++i)
      _mm_prefetch(reinterpret_cast<const char*>(rows + slots[i]), _MM_HINT_T0);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < listed; ++i) {
      const std::uint32_t place = places[i];
      const std::uint32_t row = rows[slots[i]];
      places[kept] = place;
      slots[kept] = row_base(row) + symbols[place + length - 1];
      kept += row >> row_filter(symbols[place + length - 1]) & 1;
    }
    for (std::size_t i = 0; i < kept; ++i)
      _mm_prefetch(reinterpret_cast<const char*>(tables.longer + slots[i]), _MM_HINT_T0);
    if (found + kept > kMaxCandidates || length > kMaxWordLength) return false;
    const std::size_t first_found = found;
    listed = 0;
    for (std::size_t i = 0; i < kept; ++i) {
      const std::uint32_t place = places[i];
      const Symbol symbol = symbols[place + length - 1];
      const std::uint32_t entry = tables.longer[slots[i]];
      const bool is_node = node_check(entry) == symbol;
      const std::uint32_t weight = node_weight(entry);
      buffers.candidates[found].weight = tables.weights[weight];
      buffers.candidates[found].length = length;
      buffers.candidate_places[found] = place;
      found += is_node & (weight != 0);
      places[listed] = place;
      slots[listed] = slots[i];
      listed += is_node & (entry >> node_filter(symbols[place + length]) & 1);
    }
    for (std::size_t i = first_found; i < found; ++i) {
      std::uint32_t& head = buffers.heads[buffers.candidate_places[i]];
      buffers.candidates[i].next = head;
      head = static_cast<std::uint32_t>(i);
    }
  }
  return true;
}

/// Takes the best of the longer words at `place` if its weight is above `weight`; its length replaces the
/// head of the list. Of equal ones takes the shortest: lists go from long to short.
__attribute__((noinline)) __m128d take_longer_word(std::size_t place, __m128d weight, CutBuffers& buffers,
                                                   std::size_t& longs) {
  double best = _mm_cvtsd_f64(weight);
  bool better = false;
  std::uint32_t length = 0;
  double longest_best = 0;
  for (std::uint32_t i = buffers.heads[place]; i != 0; i = buffers.candidates[i].next) {
    const LongWord& word = buffers.candidates[i];
    const double way = buffers.best[place + word.length] + word.weight;
    if (way > best && (!better || way >= longest_best)) {
      better = true;
      longest_best = way;
      length = word.length;
    }
  }
  if (!better) return weight;
  buffers.heads[place] = length;
  buffers.long_places[longs++] = static_cast<std::uint32_t>(place);
  return _mm_set_sd(longest_best);
}

/// Two sums of a chain: for the paths from the next symbol and from the one after it.
struct Chain {
  __m128d next, second;
};

inline __attribute__((always_inline)) void step(std::size_t i, Chain& chain, const SegmentTables& tables,
                                                CutBuffers& buffers, std::size_t& longs) {
  const __m128d single = _mm_add_sd(chain.next, _mm_load_sd(tables.single_weights + buffers.symbols[i]));
  const __m128d pair = _mm_add_sd(chain.second, _mm_load_sd(buffers.pair_weights + i));
  __m128d best = _mm_max_sd(pair, single);
  _mm_store_sd(buffers.single_sums + i, single);
  if (__builtin_expect(buffers.heads[i] != 0, 0)) best = take_longer_word(i, best, buffers, longs);
  const __m128i keep = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(buffers.keeps + i));
  best = _mm_and_pd(best, _mm_castsi128_pd(keep));
  _mm_store_sd(buffers.best + i, best);
  chain.second = chain.next;
  chain.next = best;
}

inline constexpr std::size_t kChains = 4;

/// Finds the best paths from right to left, in four independent parts that end at separators, where sums are
/// 0: a single chain would wait for its own additions. `ends` receives the limits of the parts. Returns how
/// many longer words were taken.
inline std::size_t find_best_ways(const SegmentTables& tables, std::size_t count, CutBuffers& buffers,
                                  std::size_t (&ends)[kChains + 1]) {
  buffers.best[count] = buffers.best[count + 1] = 0;
  ends[0] = 0;
  ends[kChains] = count;
  std::size_t together = count;
  for (std::size_t k = 1; k < kChains; ++k) {
    std::size_t end = count * k / kChains;
    if (end < ends[k - 1]) end = ends[k - 1];
    while (end < count && buffers.symbols[end] != kSeparatorSymbol) ++end;
    ends[k] = end;
    buffers.best[end] = 0;
  }
  Chain chains[kChains];
  std::size_t at[kChains];
  for (std::size_t k = 0; k < kChains; ++k) {
    chains[k] = {_mm_setzero_pd(), _mm_setzero_pd()};
    at[k] = ends[k + 1];
    if (ends[k + 1] - ends[k] < together) together = ends[k + 1] - ends[k];
  }
  std::size_t longs = 0;
  Chain a = chains[0], b = chains[1], c = chains[2], d = chains[3];
  for (std::size_t i = 1; i <= together; ++i) {
    step(at[3] - i, d, tables, buffers, longs);
    step(at[2] - i, c, tables, buffers, longs);
    step(at[1] - i, b, tables, buffers, longs);
    step(at[0] - i, a, tables, buffers, longs);
  }
  chains[0] = a, chains[1] = b, chains[2] = c, chains[3] = d;
  for (std::size_t k = kChains; k-- > 0;)
    for (std::size_t i = at[k] - together; i > ends[k]; --i) step(i - 1, chains[k], tables, buffers, longs);
  return longs;
}

/// Marks where the words of the best path begin, in all parts at once.
inline void mark_words(std::size_t count, const std::size_t (&ends)[kChains + 1], CutBuffers& buffers) {
  std::uint8_t* const starts = buffers.starts;
  const std::uint8_t* const lengths = buffers.lengths;
  __builtin_memset(starts, 0, count + kKernelSlack);
  std::size_t a = ends[0], b = ends[1], c = ends[2], d = ends[3];
  while ((a < ends[1]) & (b < ends[2]) & (c < ends[3]) & (d < ends[4])) {
    starts[a] = starts[b] = starts[c] = starts[d] = 1;
    a += lengths[a];
    b += lengths[b];
    c += lengths[c];
    d += lengths[d];
  }
  for (; a < ends[1]; a += lengths[a]) starts[a] = 1;
  for (; b < ends[2]; b += lengths[b]) starts[b] = 1;
  for (; c < ends[3]; c += lengths[c]) starts[c] = 1;
  for (; d < ends[4]; d += lengths[d]) starts[d] = 1;
  starts[count] = 1;
}

/// The whole stage. `Words` is one instruction set's part:
///   find_pairs(tables, count, buffers)   pair_weights, keeps and the first list; returns its length
///   lengths(count, buffers)              1 or 2 by whether best and single_sums differ, at separators 1
template <class Words>
bool find_words(const SegmentTables& tables, std::size_t count, CutBuffers& buffers) {
  const std::size_t listed = Words::find_pairs(tables, count, buffers);
  if (!find_longer_words(tables, count, listed, buffers)) return false;
  std::size_t ends[kChains + 1];
  const std::size_t longs = find_best_ways(tables, count, buffers, ends);
  Words::lengths(count, buffers);
  for (std::size_t i = 0; i < longs; ++i) {
    const std::uint32_t place = buffers.long_places[i];
    buffers.lengths[place] = static_cast<std::uint8_t>(buffers.heads[place]);
  }
  mark_words(count, ends, buffers);
  return true;
}

}  // namespace
}  // namespace leitong
