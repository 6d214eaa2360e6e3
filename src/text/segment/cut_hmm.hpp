// The third stage: applies the hidden Markov model to runs of characters that belong to no dictionary word.
// Vectorized form of hmm.cpp. Internal linkage: see tables.hpp.
#pragma once

#include "text/segment/cut_kernel.hpp"

namespace leitong {
namespace {

/// Runs of up to this length are processed four at a time.
inline constexpr std::uint32_t kLongestTogether = 32;
inline constexpr std::size_t kTogether = 4;

/// 64 bits of a bitmap, from any bit on.
inline std::uint64_t bits_at(const std::uint64_t* bitmap, std::size_t place) {
  const std::size_t word = place / 64, shift = place % 64;
  return bitmap[word] >> shift | bitmap[word + 1] << 1 << (63 - shift);
}
inline std::size_t ones_at(const std::uint64_t* bitmap, std::size_t place, std::size_t limit) {
  std::size_t length = 0;
  while (length < limit) {
    const std::uint64_t zeros = ~bits_at(bitmap, place + length);
    if (zeros != 0) return length + static_cast<unsigned>(__builtin_ctzll(zeros));
    length += 64;
  }
  return length;
}

/// Finds the state before `state` by the choice bits of one symbol, as in hmm.cpp: the low nibble says which
/// predecessor, the high nibble whether any was possible.
struct WayBack {
  std::uint8_t state[256][kHmmStates];
  constexpr WayBack() : state() {
    constexpr std::uint8_t kFirst[] = {kEnd, kBegin, kBegin, kEnd};
    constexpr std::uint8_t kSecond[] = {kSingle, kMiddle, kMiddle, kSingle};
    for (unsigned choice = 0; choice < 256; ++choice)
      for (unsigned to = 0; to < kHmmStates; ++to)
        state[choice][to] = static_cast<std::uint8_t>(!(choice >> (4 + to) & 1) ? +kEnd
                                                      : choice >> to & 1        ? kSecond[to]
                                                                                : kFirst[to]);
  }
};
inline constexpr WayBack kWayBack;

/// Clears the word starts inside words: bit i of `inside` belongs to symbol begin + 1 + i.
inline void join(std::uint64_t* word_starts, std::size_t begin, std::uint64_t inside) {
  const std::size_t place = begin + 1, word = place / 64, shift = place % 64;
  word_starts[word] &= ~(inside << shift);
  word_starts[word + 1] &= ~(inside >> 1 >> (63 - shift));
}

/// Decides a run of two characters, which is either one word or two; both weights can be computed directly.
inline void join_pair(const SegmentTables& tables, const HmmRun& run, CutBuffers& buffers) {
  const double* const first = tables.emissions + std::size_t{buffers.symbols[run.begin]} * kHmmStates;
  const double* const second = tables.emissions + std::size_t{buffers.symbols[run.begin + 1]} * kHmmStates;
  const double one_word = tables.start[kBegin] + first[kBegin] + tables.next[kBegin][kEnd] + second[kEnd];
  const double two_words =
      tables.start[kSingle] + first[kSingle] + tables.next[kSingle][kSingle] + second[kSingle];
  const std::uint64_t joined = (one_word > kLogZero) & ((one_word >= two_words) | run.ends_word);
  const std::size_t place = run.begin + 1;
  buffers.word_starts[place / 64] &= ~(joined << place % 64);
}

/// Decides one run of any length.
template <class Viterbi>
void join_long(const Viterbi& viterbi, const HmmRun& run, CutBuffers& buffers) {
  unsigned state = viterbi.one(buffers.symbols + run.begin, run.length, buffers.choices);
  if (run.ends_word) state = kEnd;
  for (std::size_t i = run.length - 1; i > 0; --i) {
    state = kWayBack.state[buffers.choices[i]][state];
    const std::size_t place = run.begin + i;
    buffers.word_starts[place / 64] &= ~(std::uint64_t{!(state & 1)} << place % 64);
  }
}

/// Decides four runs in descending order of length, none above kLongestTogether.
template <class Viterbi>
void join_four(const Viterbi& viterbi, const HmmRun (&runs)[kTogether], CutBuffers& buffers) {
  const Symbol* symbols[kTogether];
  std::uint32_t lengths[kTogether];
  for (std::size_t k = 0; k < kTogether; ++k) {
    symbols[k] = buffers.symbols + runs[k].begin;
    lengths[k] = runs[k].length;
  }
  std::uint8_t choices[kLongestTogether + 1][kTogether];
  unsigned state[kTogether];
  viterbi.four(symbols, lengths, choices, state);
  std::uint64_t inside[kTogether] = {};
  for (std::size_t k = 0; k < kTogether; ++k)
    if (runs[k].ends_word) state[k] = kEnd;
  // All four are traced back from the end of the longest run; a shorter one starts when its own end is
  // reached.
  std::uint32_t i = lengths[0] - 1;
  unsigned a = state[0], b = state[1], c = state[2], d = state[3];
  const auto back = [&](unsigned& at, std::uint64_t& bits, std::size_t k) {
    at = kWayBack.state[choices[i][k]][at];
    bits = bits * 2 + (~at & 1);
  };
  for (; i >= lengths[1] && i > 0; --i) back(a, inside[0], 0);
  for (; i >= lengths[2] && i > 0; --i) back(a, inside[0], 0), back(b, inside[1], 1);
  for (; i >= lengths[3] && i > 0; --i) back(a, inside[0], 0), back(b, inside[1], 1), back(c, inside[2], 2);
  for (; i > 0; --i)
    back(a, inside[0], 0), back(b, inside[1], 1), back(c, inside[2], 2), back(d, inside[3], 3);
  for (std::size_t k = 0; k < kTogether; ++k) join(buffers.word_starts, runs[k].begin, inside[k]);
}

/// Lists the runs of two and more symbols, and pairs separately. A run ends before an unknown character; from
/// there to the next word all characters are single.
inline void list_runs(std::size_t count, CutBuffers& buffers, std::size_t& pairs, std::size_t& runs) {
  const std::size_t words = count / 64 + 1;
  // Marks the symbols that are words alone (a word begins at the symbol and at the next one) and that the
  // model may join.
  std::uint64_t* const alone = buffers.alone;
  for (std::size_t i = 0; i < words; ++i)
    alone[i] &= buffers.word_starts[i] & (buffers.word_starts[i] >> 1 | buffers.word_starts[i + 1] << 63);
  alone[words] = alone[words + 1] = 0;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t two = alone[i] & (alone[i] >> 1 | alone[i + 1] << 63);
    std::uint64_t begins = two & ~(alone[i] << 1 | before);
    before = alone[i] >> 63;
    for (; begins != 0; begins &= begins - 1) {
      const std::size_t begin = i * 64 + static_cast<unsigned>(__builtin_ctzll(begins));
      std::size_t length = ones_at(alone, begin, count - begin);
      bool ends_word = false;
      const std::uint64_t unknown = bits_at(buffers.unknown, begin);
      std::size_t known = unknown != 0 ? static_cast<unsigned>(__builtin_ctzll(unknown)) : 64;
      if (__builtin_expect(known == 64 && length > 64, 0))
        while (known < length && !(buffers.unknown[(begin + known) / 64] >> (begin + known) % 64 & 1))
          ++known;
      if (known < length) {
        ends_word = true;
        length = known;
      }
      const HmmRun run{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(length), ends_word};
      buffers.pairs[pairs] = run;
      buffers.runs[runs] = run;
      pairs += length == 2;
      runs += length > 2;
    }
  }
}

/// The whole stage. `Viterbi` is one instruction set's:
///   Viterbi(tables)
///   viterbi.one(symbols, length, choices)   the last state; choices[1..]
///   viterbi.four(symbols, lengths, choices, states)
template <class Viterbi>
void join_words(const SegmentTables& tables, std::size_t count, CutBuffers& buffers) {
  std::size_t pairs = 0, runs = 0;
  list_runs(count, buffers, pairs, runs);
  for (std::size_t i = 0; i < pairs; ++i) join_pair(tables, buffers.pairs[i], buffers);
  if (runs == 0) return;

  // Sorted by descending length, with runs that are too long first: if the four have about the same length,
  // few lanes are idle.
  std::uint32_t places[kLongestTogether + 3] = {};
  const auto bucket = [](const HmmRun& run) {
    return run.length > kLongestTogether ? 0u : kLongestTogether + 1 - run.length;
  };
  for (std::size_t i = 0; i < runs; ++i) ++places[bucket(buffers.runs[i]) + 1];
  for (std::size_t i = 1; i < kLongestTogether + 3; ++i) places[i] += places[i - 1];
  const std::size_t longs = places[1];
  for (std::size_t i = 0; i < runs; ++i)
    buffers.sorted_runs[places[bucket(buffers.runs[i])]++] = buffers.runs[i];

  const Viterbi viterbi(tables);
  const HmmRun* const sorted = buffers.sorted_runs;
  for (std::size_t i = 0; i < longs; ++i) join_long(viterbi, sorted[i], buffers);
  for (std::size_t i = longs; i < runs; i += kTogether) {
    HmmRun four[kTogether];
    // If fewer than four are left, the last one is repeated: joining it twice has the same result.
    for (std::size_t k = 0; k < kTogether; ++k) four[k] = sorted[i + k < runs ? i + k : runs - 1];
    join_four(viterbi, four, buffers);
  }
}

}  // namespace
}  // namespace leitong
