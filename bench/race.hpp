// Runs programs that do the same work in turn, for benchmarks that compare within one process.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace leitong::bench {

using Batch = std::span<const std::string>;
/// Works on a batch of texts; returns something that depends on every result.
using Work = std::function<std::uint64_t(Batch)>;

struct Contender {
  std::string name;
  Work work;
  bool is_peer = false;
};

/// Peers are run at most so many times: they are slow, so the least time is found sooner.
inline constexpr int kPeerRepeats = 3;

inline std::vector<Batch> batches_of(const std::vector<std::string>& texts) {
  constexpr std::size_t kBatchBytes = 150'000;
  std::vector<Batch> batches;
  for (std::size_t begin = 0, end = 0; begin < texts.size(); begin = end) {
    for (std::size_t bytes = 0; end < texts.size() && bytes < kBatchBytes; ++end) bytes += texts[end].size();
    batches.push_back(Batch(texts).subspan(begin, end - begin));
  }
  return batches;
}

/// Processor time of this thread, without the time in which it waited for others.
inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// The seconds of each contender: the sum of its least times for each batch, since other jobs can only make
/// it slower.
inline std::vector<double> race(const std::vector<Contender>& contenders, const std::vector<Batch>& batches,
                                int repeats) {
  std::vector<double> sums(contenders.size());
  static volatile std::uint64_t sink = 0;  // makes the compiler keep the results
  for (const Batch batch : batches) {
    std::vector<double> least(contenders.size(), 1e9);
    for (int repeat = 0; repeat < repeats; ++repeat) {
      for (std::size_t i = 0; i < contenders.size(); ++i) {
        if (contenders[i].is_peer && repeat >= kPeerRepeats) continue;
        const double begin = thread_seconds();
        sink = sink + contenders[i].work(batch);
        least[i] = std::min(least[i], thread_seconds() - begin);
      }
    }
    for (std::size_t i = 0; i < contenders.size(); ++i) sums[i] += least[i];
  }
  return sums;
}

}  // namespace leitong::bench
