#include "index/hamming/join/table_pass.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace leitong::hamming {
namespace {

/// More partitions would need more cache lines for writing than there are.
constexpr unsigned kMostFirstBits = 13;
/// Fingerprints of a partition: both copies of it fit in the second-level cache.
constexpr std::uint64_t kPartition = 16 << 10;
/// A shared pass is worth so many bits fewer, since the partitions are then four times as large and still fit
/// in the near caches.
constexpr unsigned kFewerBits = 2;
/// Fingerprints of a bucket in a table with a radius: so many that to compare them takes longer than to find
/// the bucket.
constexpr std::uint64_t kRadiusBucket = 64;
constexpr unsigned kMostRadiusBits = 24;

unsigned bits_for(std::uint64_t size, std::uint64_t each) {
  return size <= each ? 0 : static_cast<unsigned>(std::bit_width((size - 1) / each));
}

/// The bits that the keys of two tables share, if they are enough for a pass; each set once, the largest
/// first.
template <Fingerprint F>
std::vector<F> shared_bits(const std::vector<Table<F>>& tables, unsigned least) {
  std::vector<F> shared;
  for (std::size_t b = 0; b < tables.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      if (tables[a].radius > 0 || tables[b].radius > 0) continue;
      if (const F both = tables[a].key & tables[b].key; count_ones(both) >= least) shared.push_back(both);
    }
  std::sort(shared.begin(), shared.end());
  shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
  std::stable_sort(shared.begin(), shared.end(),
                   [](const F& x, const F& y) { return count_ones(x) > count_ones(y); });
  return shared;
}

}  // namespace

template <Fingerprint F>
std::vector<TablePass<F>> table_passes(const Plan<F>& plan, std::uint64_t size, const BitOrder<F>& order) {
  const std::vector<Table<F>>& tables = plan.tables;
  const unsigned wanted = std::min(bits_for(size, kPartition), kMostFirstBits);
  std::vector<TablePass<F>> passes;
  std::vector<bool> placed(tables.size());
  const auto unplaced = [&](F shared) {
    std::vector<std::size_t> found;
    for (std::size_t table = 0; table < tables.size(); ++table)
      if (!placed[table] && tables[table].radius == 0 && (tables[table].key & shared) == shared)
        found.push_back(table);
    return found;
  };
  const auto place = [&](std::vector<std::size_t> numbers, F shared) {
    for (const std::size_t table : numbers) placed[table] = true;
    passes.push_back({std::move(numbers), order.best(shared, std::min(wanted, count_ones(shared))), F{}});
  };

  // Chooses greedily what saves most. Plans are regular, so this is optimal or nearly so.
  const std::vector<F> shared = shared_bits(tables, std::max(wanted, kFewerBits + 1) - kFewerBits);
  for (;;) {
    std::vector<std::size_t> most;
    F by{};
    for (const F bits : shared)
      if (auto found = unplaced(bits); found.size() > std::max<std::size_t>(most.size(), 1)) {
        most = std::move(found);
        by = bits;
      }
    if (most.empty()) break;
    place(std::move(most), by);
  }
  for (std::size_t number = 0; number < tables.size(); ++number) {
    if (placed[number]) continue;
    const Table<F>& table = tables[number];
    place({number}, table.key);
    if (table.radius == 0) continue;
    const F left = table.key & ~passes.back().first;
    const unsigned buckets = std::min(bits_for(size, kRadiusBucket), kMostRadiusBits);
    passes.back().rest =
        order.best(left, std::min(buckets - count_ones(passes.back().first), count_ones(left)));
  }
  return passes;
}

template std::vector<TablePass<Fingerprint64>> table_passes(const Plan<Fingerprint64>&, std::uint64_t,
                                                            const BitOrder<Fingerprint64>&);
template std::vector<TablePass<Fingerprint128>> table_passes(const Plan<Fingerprint128>&, std::uint64_t,
                                                             const BitOrder<Fingerprint128>&);

}  // namespace leitong::hamming
