#include "text/segment/hmm.hpp"

#include <algorithm>

namespace leitong {
namespace {

// Each state has two possible predecessors (read_jieba_dictionary() checks this); of two equal ones the lower
// one is taken.
constexpr unsigned kFirstBefore[kHmmStates] = {kEnd, kBegin, kBegin, kEnd};
constexpr unsigned kSecondBefore[kHmmStates] = {kSingle, kMiddle, kMiddle, kSingle};

/// Two bits for each state: the second predecessor was better; any predecessor was possible.
constexpr unsigned kPossibleShift = 4;

unsigned state_before(unsigned state, unsigned choice) {
  if (!(choice >> (kPossibleShift + state) & 1)) return kEnd;  // as cppjieba initialises its paths
  return choice >> state & 1 ? kSecondBefore[state] : kFirstBefore[state];
}

}  // namespace

void find_word_ends(const SegmentTables& tables, const Symbol* symbols, std::size_t count,
                    std::uint8_t* ends) noexcept {
  double weight[kHmmStates];
  const double* emission = tables.emissions + std::size_t{symbols[0]} * kHmmStates;
  for (unsigned state = 0; state < kHmmStates; ++state) weight[state] = tables.start[state] + emission[state];

  std::uint8_t* const choices = ends;  // the choices, which the result replaces from the end on
  for (std::size_t i = 1; i < count; ++i) {
    emission = tables.emissions + std::size_t{symbols[i]} * kHmmStates;
    double next[kHmmStates];
    unsigned choice = 0;
    for (unsigned state = 0; state < kHmmStates; ++state) {
      const unsigned a = kFirstBefore[state], b = kSecondBefore[state];
      const double first = weight[a] + tables.next[a][state] + emission[state];
      const double second = weight[b] + tables.next[b][state] + emission[state];
      const double best = std::max(first, second);
      choice |= static_cast<unsigned>(second > first) << state | static_cast<unsigned>(best > kLogZero)
                                                                     << (kPossibleShift + state);
      next[state] = std::max(best, kLogZero);
    }
    choices[i] = static_cast<std::uint8_t>(choice);
    std::copy(next, next + kHmmStates, weight);
  }

  unsigned state = weight[kEnd] >= weight[kSingle] ? kEnd : kSingle;
  for (std::size_t i = count; i-- > 1;) {
    const unsigned choice = choices[i];
    ends[i] = state & 1;
    state = state_before(state, choice);
  }
  ends[0] = state & 1;
}

}  // namespace leitong
