// Collects and counts pairs of documents, each of which may be added many times.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/candidates.hpp"
#include "base/parallel.hpp"
#include "base/per_thread.hpp"
#include "base/radix_sort.hpp"
#include "base/try.hpp"
#include "io/partitions.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A multiset of (pair, one byte of evidence), 8 bytes each, in memory or on disk. Any number of threads fill
/// it; then it is emptied, and each pair comes once, with all its evidence.
class PairBag {
 public:
  /// The most documents of one run.
  static constexpr std::uint64_t kMaxDocuments = (1ull << 24) * Partitions::kCount - 1;

  /// Takes pairs whose homes are `documents` ones from `first` on.
  PairBag(std::uint64_t documents, RunContext& run, std::uint64_t first = 0)
      : run_(run),
        first_(first),
        documents_(documents),
        partitions_(run),
        writers_([this] { return Partitions::Writer(partitions_); }),
        shift_(Partitions::shift_for(documents)) {}

  [[nodiscard]] bool takes(DocId home) const noexcept { return home - first_ < documents_; }
  /// Adds to the bag from one thread.
  class Writer {
   public:
    /// The same document of a pair must be `home` each time: its partition collects the evidence. A document
    /// that is home to very many pairs makes one partition large. REQUIRES takes(home).
    Result<void> add(DocId home, DocId other, std::uint8_t evidence) {
      const std::uint64_t place = home - first_, local = place & ((1ull << shift_) - 1);
      return writer_.append(static_cast<unsigned>(place >> shift_),
                            local << 40 | static_cast<std::uint64_t>(other) << 8 | evidence);
    }

   private:
    friend class PairBag;
    Writer(Partitions::Writer& writer, std::uint64_t first, unsigned shift)
        : writer_(writer), first_(first), shift_(shift) {}
    Partitions::Writer& writer_;
    std::uint64_t first_;
    unsigned shift_;
  };
  [[nodiscard]] Writer local_writer() { return Writer(writers_.local(), first_, shift_); }

  /// Empties the bag: calls `judge(home, other, evidence)` once for each pair, with its entries (evidence in
  /// the lowest byte of each), and offers to `sink` those for which it returns a Candidate. Some entries
  /// earlier it calls `coming_up(other)`, so that memory for judge() can be prefetched. Returns the number of
  /// distinct pairs. `slice`: the number of this bag among those of one search, which the sink is told.
  struct Slice {
    unsigned number = 0, count = 1;
  };
  template <class Judge, class ComingUp>
  Result<std::uint64_t> drain(CandidateSink& sink, Judge judge, ComingUp coming_up, Slice slice);
  template <class Judge, class ComingUp>
  Result<std::uint64_t> drain(CandidateSink& sink, Judge judge, ComingUp coming_up) {
    return drain(sink, judge, coming_up, Slice());
  }

 private:
  // Between two waves the sink may verify its candidates, so that they do not pile up.
  static constexpr unsigned kWave = 32;
  static constexpr std::uint64_t kBetweenStops = 1024;  // pairs between two checks of the stop
  struct Space {
    PodVector<std::uint64_t> entries, scratch;
  };

  RunContext& run_;
  std::uint64_t first_, documents_;
  Partitions partitions_;
  PerThread<Partitions::Writer> writers_;
  unsigned shift_;
};

template <class Judge, class ComingUp>
Result<std::uint64_t> PairBag::drain(CandidateSink& sink, Judge judge, ComingUp coming_up, Slice slice) {
  constexpr std::size_t kAhead = 32;
  LEITONG_TRY(writers_.for_each([](Partitions::Writer& writer) { return writer.flush(); }));
  std::atomic<std::uint64_t> distinct{0};
  auto drain_partition = [&](std::size_t partition, Space& space) -> Result<void> {
    PodVector<std::uint64_t>& entries = space.entries;
    LEITONG_TRY(partitions_.take(static_cast<unsigned>(partition), entries));
    radix_sort(entries, space.scratch, 8, 40 + shift_, [](std::uint64_t e) { return e; });
    std::vector<Candidate> candidates;
    std::uint64_t pairs_here = 0;
    std::size_t seen = 0;
    for (std::size_t i = 0; i < entries.size(); ++pairs_here) {
      if (pairs_here % kBetweenStops == 0) LEITONG_TRY(run_.stop.check());  // judge() may compare texts
      const std::uint64_t pair = entries[i] >> 8;
      std::size_t j = i + 1;
      while (j < entries.size() && entries[j] >> 8 == pair) ++j;
      for (const std::size_t end = std::min(j + kAhead, entries.size()); seen < end; ++seen)
        coming_up(static_cast<DocId>(entries[seen] >> 8));
      const auto home = static_cast<DocId>(first_ + (partition << shift_ | pair >> 32));
      if (auto candidate = judge(home, static_cast<DocId>(pair), std::span(entries.data() + i, j - i)))
        candidates.push_back(*candidate);
      i = j;
    }
    distinct += pairs_here;
    return sink.offer(candidates);
  };
  for (unsigned first = 0; first < Partitions::kCount; first += kWave) {
    LEITONG_TRY(parallel_for_each(
        run_.stop, kWave, [] { return Space(); },
        [&](std::size_t i, Space& space) { return drain_partition(first + i, space); }));
    sink.expect((slice.number + static_cast<double>(first + kWave) / Partitions::kCount) / slice.count);
    if (sink.full()) LEITONG_TRY(sink.flush());
  }
  return distinct.load();
}

}  // namespace leitong
