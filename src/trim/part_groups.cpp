#include "trim/part_groups.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <span>

#include "base/parallel.hpp"
#include "base/per_thread.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

using Words = std::array<std::uint64_t, 3>;

/// The words of a partition as records.
std::span<Words> records_of(PodVector<std::uint64_t>& words) {
  static_assert(sizeof(Words) == 3 * sizeof(std::uint64_t));
  return {reinterpret_cast<Words*>(words.data()), words.size() / 3};
}

/// Documents of places that are sorted.
std::uint64_t count_documents(std::span<const Words> equal) {
  std::uint64_t documents = 0, last = UINT64_MAX;
  for (const Words& part : equal) {
    const std::uint64_t document = part[2] >> 32;
    documents += document != last ? 1 : 0;
    last = document;
  }
  return documents;
}

}  // namespace

PartHash hash_of_units(const std::uint32_t* units, std::size_t count) noexcept {
  const XXH128_hash_t hash = XXH3_128bits(units, count * sizeof(std::uint32_t));
  return {hash.high64, hash.low64};
}

Result<void> PartGroups::group(std::uint64_t least_documents, std::uint64_t documents) {
  shift_ = Partitions::shift_for(documents);
  PerThread<Partitions::Writer> writers([this] { return Partitions::Writer(repeated_); });
  LEITONG_TRY(parallel_for_each(
      run_.stop, Partitions::kCount, [] { return PodVector<std::uint64_t>(); },
      [&](std::size_t number, PodVector<std::uint64_t>& words) -> Result<void> {
        Partitions::Writer& writer = writers.local();
        LEITONG_TRY(hashes_.take(static_cast<unsigned>(number), words));
        const HeldMemory held(run_.memory, words.size() * sizeof(std::uint64_t));
        const std::span<Words> parts = records_of(words);
        std::ranges::sort(parts);
        for (auto begin = parts.begin(); begin != parts.end();) {
          const auto end = std::find_if(begin, parts.end(), [&](const Words& part) {
            return part[0] != (*begin)[0] || part[1] != (*begin)[1];
          });
          const std::span<const Words> equal(begin, end);
          begin = end;
          if (equal.size() < 2) continue;
          const std::uint64_t holders = count_documents(equal);
          if (holders < least_documents) continue;
          const std::uint64_t group = groups_.fetch_add(1, std::memory_order_relaxed);
          std::uint64_t first = 1;
          for (const Words& part : equal) {
            LEITONG_TRY(writer.append(static_cast<unsigned>(part[2] >> 32 >> shift_),
                                      Words{part[2], group, 2 * holders + first}));
            first = 0;
          }
        }
        return {};
      }));
  return writers.for_each([](Partitions::Writer& writer) { return writer.flush(); });
}

Result<void> PartGroups::take(unsigned block, std::vector<RepeatedPart>& parts) {
  parts.clear();
  PodVector<std::uint64_t> words;
  LEITONG_TRY(repeated_.take(block, words));
  const std::span<Words> sorted = records_of(words);
  std::ranges::sort(sorted);
  parts.reserve(sorted.size());
  for (const Words& part : sorted)
    parts.push_back({static_cast<DocId>(part[0] >> 32), static_cast<std::uint32_t>(part[0]), part[1],
                     part[2] / 2, part[2] % 2 == 1});
  return {};
}

}  // namespace leitong
