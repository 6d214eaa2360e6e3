#include "index/prefix_join.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <vector>

#include "base/parallel.hpp"
#include "base/radix_sort.hpp"
#include "base/try.hpp"
#include "index/pair_bag.hpp"

namespace leitong {
namespace {

using Entries = PodVector<std::uint64_t>;

constexpr unsigned kClasses = 32;  // of document frequency, by powers of two
unsigned frequency_class(std::size_t df) { return static_cast<unsigned>(std::bit_width(df)) - 1; }

template <class Each>
Result<void> for_each_element(const Entries& entries, Each each) {
  for (std::size_t i = 0; i < entries.size();) {
    std::size_t j = i + 1;
    while (j < entries.size() && entries[j] >> 32 == entries[i] >> 32) ++j;
    LEITONG_TRY(each(std::span(entries.data() + i, j - i)));
    i = j;
  }
  return {};
}

}  // namespace

PrefixJoin::PrefixJoin(RunContext& run) : run_(run), entries_(run), writer_(entries_) {}

Result<void> PrefixJoin::add(DocId document, std::span<const std::uint64_t> elements) {
  sizes_.resize(document, 0);
  sizes_.push_back(static_cast<std::uint32_t>(elements.size()));
  for (const std::uint64_t element : elements)
    LEITONG_TRY(writer_.append(element >> 24 & 255, element << 32 | document));
  return {};
}

Result<void> PrefixJoin::find(CandidateSink& sink, double share,
                              const std::function<bool(std::uint32_t, std::uint32_t)>& reachable,
                              std::uint32_t enough) {
  LEITONG_TRY(writer_.flush());
  const std::size_t documents = sizes_.size();

  // The number of elements of each class of frequency, for each document ..
  PodVector<std::uint32_t> by_class;
  by_class.resize(documents * kClasses, 0);
  auto count = [&](std::size_t partition, std::array<Entries, 2>& space) -> Result<void> {
    auto& [entries, scratch] = space;
    LEITONG_TRY(entries_.take(static_cast<unsigned>(partition), entries));
    radix_sort(entries, scratch, 32, 56, [](std::uint64_t e) { return e; });
    LEITONG_TRY(for_each_element(entries, [&](std::span<const std::uint64_t> holders) -> Result<void> {
      for (const std::uint64_t e : holders)
        std::atomic_ref(by_class[static_cast<DocId>(e) * kClasses + frequency_class(holders.size())])
            .fetch_add(1, std::memory_order_relaxed);
      return {};
    }));
    return entries_.put(static_cast<unsigned>(partition), entries);
  };
  LEITONG_TRY(parallel_for_each(
      run_.stop, Partitions::kCount, [] { return std::array<Entries, 2>(); }, count));

  // .. and the last class of its prefix, which follows from these numbers.
  PodVector<std::uint8_t> last_class;
  last_class.resize(documents, 0);
  for (std::size_t d = 0; d < documents; ++d) {
    const auto least_shared =
        std::min(enough, static_cast<std::uint32_t>(std::ceil(share * sizes_[d] - 1e-9)));
    const std::uint32_t prefix = sizes_[d] - std::min(sizes_[d], least_shared) + 1;
    std::uint32_t taken = 0;
    unsigned last = 0;
    while (last + 1 < kClasses && (taken += by_class[d * kClasses + last]) < prefix) ++last;
    last_class[d] = static_cast<std::uint8_t>(last);
  }
  by_class = PodVector<std::uint32_t>();

  PairBag pairs(documents, run_);
  auto emit = [&](std::size_t partition, Entries& entries) -> Result<void> {
    LEITONG_TRY(entries_.take(static_cast<unsigned>(partition), entries));
    PairBag::Writer writer = pairs.local_writer();
    return for_each_element(entries, [&](std::span<const std::uint64_t> holders) -> Result<void> {
      const unsigned cls = frequency_class(holders.size());
      for (const std::uint64_t e : holders) {
        LEITONG_TRY(run_.stop.check());  // an element of n documents makes n * n pairs
        const auto smaller = static_cast<DocId>(e);
        if (cls > last_class[smaller]) continue;
        for (const std::uint64_t f : holders) {
          const auto larger = static_cast<DocId>(f);
          const bool in_order =
              sizes_[smaller] < sizes_[larger] || (sizes_[smaller] == sizes_[larger] && smaller < larger);
          if (in_order && reachable(sizes_[smaller], sizes_[larger]))
            LEITONG_TRY(writer.add(smaller, larger, 0));
        }
      }
      return {};
    });
  };
  LEITONG_TRY(parallel_for_each(
      run_.stop, Partitions::kCount, [] { return Entries(); }, emit));
  auto judge = [](DocId a, DocId b, auto) {
    Candidate candidate{std::min(a, b), std::max(a, b)};
    candidate.frame = Candidate::kAnyFrame;
    candidate.passage = true;
    return std::optional(candidate);
  };
  LEITONG_ASSIGN(distinct_pairs_, pairs.drain(sink, judge, [](DocId) {}));
  return sink.flush();
}

}  // namespace leitong
