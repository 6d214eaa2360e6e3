#include "index/hamming/row_edges.hpp"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "base/parallel.hpp"

namespace leitong::hamming {
namespace {

constexpr std::uint64_t kRowsAtOnce = 1 << 16;
constexpr std::size_t kFilterBlock = 256;
constexpr auto kNoLocal = [] { return 0; };

/// Fingerprints and rows as Partitions hold them: the words of the fingerprint, then a row.
template <Fingerprint F>
constexpr unsigned kRowRecord = kWords<F> + 1;

template <Fingerprint F>
F read_value(const std::uint64_t* words) noexcept {
  if constexpr (kWords<F> == 1) {
    return words[0];
  } else {
    return {words[0], words[1]};
  }
}

/// Fingerprint -> its first row, for one partition after the other.
template <Fingerprint F>
class RowTable {
 public:
  void fill(std::span<const std::uint64_t> records) {
    const std::size_t count = records.size() / kRowRecord<F>;
    slots_.clear();
    slots_.resize(std::bit_ceil(2 * count + 1), Slot{{}, kEmpty});
    for (std::size_t i = 0; i < records.size(); i += kRowRecord<F>) {
      Slot& slot = find(read_value<F>(&records[i]));
      slot.value = read_value<F>(&records[i]);
      slot.row = std::min(slot.row, records[i + kWords<F>]);
    }
  }
  /// REQUIRES a value of the records.
  [[nodiscard]] std::uint64_t first_row(F value) noexcept { return find(value).row; }

 private:
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  struct Slot {
    F value;
    std::uint64_t row;
  };

  Slot& find(F value) noexcept {
    // The low byte of the hash is the same for the whole partition.
    std::size_t at = hash_of(value) >> 8 & (slots_.size() - 1);
    while (slots_[at].row != kEmpty && slots_[at].value != value) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  PodVector<Slot> slots_;
};

/// What a thread needs for a partition, kept for its next one: fresh pages cost more than what is done with
/// them here.
template <Fingerprint F>
struct PartitionSpace {
  PodVector<std::uint64_t> records, edges;
  RowTable<F> table;
};

/// Runs body(i, writer, space) for all i < count; each thread has its writer, flushed at the end.
template <Fingerprint F, class Body>
Result<void> write_partitions(std::size_t count, Partitions& to, Body body) {
  tbb::enumerable_thread_specific<std::unique_ptr<Partitions::Writer>> writers(
      [&] { return std::make_unique<Partitions::Writer>(to); });
  const Result<void> written = parallel_for_each(
      count, [] { return PartitionSpace<F>(); },
      [&](std::size_t i, PartitionSpace<F>& space) -> Result<void> {
        return body(i, *writers.local(), space);
      });
  if (!written) return written;
  for (const auto& writer : writers) LEITONG_TRY(writer->flush());
  return {};
}

}  // namespace

template <Fingerprint F>
class Binder {
 public:
  Binder(EdgeLog<F>& log, const Source<F>& left, const Source<F>* right, MemoryBudget& budget,
         const WorkFolder& work, RowEdges& edges)
      : log_(log), left_(left), right_(right), budget_(budget), work_(work), edges_(edges) {}

  Result<void> run() {
    Partitions left_rows(budget_, work_);
    LEITONG_TRY(collect_rows(left_, log_.filter(Side::left), left_rows));
    Partitions half_bound(budget_, work_);
    LEITONG_TRY(bind_left(left_rows, half_bound));
    if (right_ == nullptr) {
      LEITONG_TRY(bind_right(left_rows, half_bound));
    } else {
      Partitions right_rows(budget_, work_);
      LEITONG_TRY(collect_rows(*right_, log_.filter(Side::right), right_rows));
      LEITONG_TRY(bind_right(right_rows, half_bound));
    }
    for (PodVector<Repetition>& repetitions : edges_.repetitions_)
      tbb::parallel_sort(repetitions.begin(), repetitions.end(),
                         [](const Repetition& x, const Repetition& y) {
                           return std::tie(x.first, x.row) < std::tie(y.first, y.row);
                         });
    return {};
  }

 private:
  /// (fingerprint, row) of all rows that may have an edge.
  Result<void> collect_rows(const Source<F>& source, const ValueFilter& filter, Partitions& rows) {
    const std::uint64_t pieces = (source.size() + kRowsAtOnce - 1) / kRowsAtOnce;
    return write_partitions<F>(pieces, rows, [&](std::size_t piece, Partitions::Writer& writer, auto&) {
      const auto collect = [&](std::span<const F> values, std::uint64_t row) -> Result<void> {
        for (std::size_t i = 0; i < values.size(); i += kFilterBlock)
          LEITONG_TRY(collect_block(values.subspan(i, std::min(kFilterBlock, values.size() - i)), row + i,
                                    filter, writer));
        return {};
      };
      return for_each_piece(source, piece * kRowsAtOnce, std::min((piece + 1) * kRowsAtOnce, source.size()),
                            collect);
    });
  }

  static Result<void> collect_block(std::span<const F> values, std::uint64_t row, const ValueFilter& filter,
                                    Partitions::Writer& writer) {
    // First without branches: who passes is irregular, and the look-ups shall run ahead of each other.
    std::array<std::uint64_t, kFilterBlock> hashes;
    for (std::size_t i = 0; i < values.size(); ++i) {
      hashes[i] = hash_of(values[i]);
      filter.prefetch(hashes[i]);
    }
    std::array<std::uint32_t, kFilterBlock> passed;
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      passed[count] = static_cast<std::uint32_t>(i);
      count += filter.may_hold(hashes[i]) ? 1 : 0;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const F value = values[passed[i]];
      const unsigned to = partition_of(hashes[passed[i]]);
      for (unsigned w = 0; w < kWords<F>; ++w) LEITONG_TRY(writer.append(to, word(value, w)));
      LEITONG_TRY(writer.append(to, row + passed[i]));
    }
    return {};
  }

  /// Rows that aren't the first of their fingerprint.
  Result<void> note_repetitions(std::span<const std::uint64_t> records, RowTable<F>& table, Side side) {
    PodVector<Repetition> found;
    for (std::size_t i = 0; i < records.size(); i += kRowRecord<F>) {
      const std::uint64_t row = records[i + kWords<F>];
      const std::uint64_t first = table.first_row(read_value<F>(&records[i]));
      if (first != row) found.push_back({first, row});
    }
    if (found.empty()) return {};
    const std::scoped_lock lock(mutex_);
    PodVector<Repetition>& all = edges_.repetitions_[static_cast<int>(side)];
    all.append(found);
    const std::uint64_t bytes = all.size() * sizeof(Repetition);
    if (budget_.limit() != 0 && bytes > budget_.for_buffers())
      return fail(ErrorCode::limit,
                  fmt::format("{} rows repeat the fingerprint of another, and listing them takes {} bytes; "
                              "allow more memory",
                              all.size(), bytes));
    return {};
  }

  /// (x, y) becomes (y, row of x and distance), in the partition of y.
  Result<void> bind_left(Partitions& rows, Partitions& half_bound) {
    return write_partitions<F>(
        Partitions::kCount, half_bound,
        [&](std::size_t i, Partitions::Writer& writer, PartitionSpace<F>& space) -> Result<void> {
          const auto partition = static_cast<unsigned>(i);
          auto& [records, edges, table] = space;
          LEITONG_TRY(rows.load(partition, records));
          LEITONG_TRY(log_.edges().take(partition, edges));
          table.fill(records);
          LEITONG_TRY(note_repetitions(records, table, Side::left));
          for (std::size_t at = 0; at < edges.size(); at += EdgeRecord<F>::kWords) {
            const F x = read_value<F>(&edges[at]), y = read_value<F>(&edges[at + kWords<F>]);
            const unsigned to = partition_of(hash_of(y));
            for (unsigned w = 0; w < kWords<F>; ++w) LEITONG_TRY(writer.append(to, word(y, w)));
            LEITONG_TRY(writer.append(
                to, table.first_row(x) | std::uint64_t{distance(x, y)} << RowEdges::kDistanceShift));
          }
          return {};
        });
  }

  /// (y, row of x and distance) becomes (row, row and distance), in the partition of the first row.
  Result<void> bind_right(Partitions& rows, Partitions& half_bound) {
    const bool self = right_ == nullptr;
    return write_partitions<F>(
        Partitions::kCount, edges_.edges_,
        [&](std::size_t i, Partitions::Writer& writer, PartitionSpace<F>& space) -> Result<void> {
          const auto partition = static_cast<unsigned>(i);
          auto& [records, edges, table] = space;
          LEITONG_TRY(rows.take(partition, records));
          LEITONG_TRY(half_bound.take(partition, edges));
          table.fill(records);
          if (!self) LEITONG_TRY(note_repetitions(records, table, Side::right));
          for (std::size_t at = 0; at < edges.size(); at += kRowRecord<F>) {
            const std::uint64_t mixed = edges[at + kWords<F>];
            const std::uint64_t bits = mixed >> RowEdges::kDistanceShift << RowEdges::kDistanceShift;
            std::uint64_t a = mixed ^ bits;
            std::uint64_t b = table.first_row(read_value<F>(&edges[at]));
            if (self && a > b) std::swap(a, b);
            const auto to = static_cast<unsigned>(a / edges_.rows_each_);
            LEITONG_TRY(writer.append(to, a));
            LEITONG_TRY(writer.append(to, b | bits));
          }
          return {};
        });
  }

  EdgeLog<F>& log_;
  const Source<F>& left_;
  const Source<F>* right_;
  MemoryBudget& budget_;
  const WorkFolder& work_;
  RowEdges& edges_;
  std::mutex mutex_;
};

template <Fingerprint F>
Result<void> bind(EdgeLog<F>& log, const Source<F>& left, const Source<F>* right, MemoryBudget& budget,
                  const WorkFolder& work, RowEdges& edges) {
  return Binder<F>(log, left, right, budget, work, edges).run();
}

Result<void> RowEdges::for_each_edge(const RowPairsFn& each) {
  // Sorted side by side, delivered one after the other.
  if (edges_.size() == 0) return {};
  const auto window = static_cast<unsigned>(2 * tbb::this_task_arena::max_concurrency());
  std::vector<PodVector<std::uint64_t>> words(window);
  std::vector<std::vector<RowPair>> pairs(window);
  for (unsigned begin = 0; begin < Partitions::kCount; begin += window) {
    const unsigned count = std::min(window, Partitions::kCount - begin);
    const auto sort_one = [&](std::size_t i, int) -> Result<void> {
      LEITONG_TRY(edges_.load(begin + static_cast<unsigned>(i), words[i]));
      pairs[i].clear();
      for (std::size_t at = 0; at < words[i].size(); at += 2) {
        const std::uint64_t mixed = words[i][at + 1];
        const std::uint64_t bits = mixed >> kDistanceShift;
        pairs[i].push_back({words[i][at], mixed ^ bits << kDistanceShift, static_cast<std::uint32_t>(bits)});
      }
      std::sort(pairs[i].begin(), pairs[i].end(),
                [](const RowPair& x, const RowPair& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
      return {};
    };
    LEITONG_TRY(parallel_for_each(count, kNoLocal, sort_one));
    for (unsigned i = 0; i < count; ++i)
      if (!pairs[i].empty()) LEITONG_TRY(each(pairs[i]));
  }
  return {};
}

template Result<void> bind(EdgeLog<Fingerprint64>&, const Source<Fingerprint64>&,
                           const Source<Fingerprint64>*, MemoryBudget&, const WorkFolder&, RowEdges&);
template Result<void> bind(EdgeLog<Fingerprint128>&, const Source<Fingerprint128>&,
                           const Source<Fingerprint128>*, MemoryBudget&, const WorkFolder&, RowEdges&);

}  // namespace leitong::hamming
