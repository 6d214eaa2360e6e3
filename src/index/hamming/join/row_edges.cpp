#include "index/hamming/join/row_edges.hpp"

#include <fmt/core.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <mutex>
#include <vector>

#include "base/huge_array.hpp"
#include "base/parallel.hpp"
#include "base/per_thread.hpp"
#include "base/try.hpp"
#include "index/hamming/packed_sort.hpp"
#include "io/arena.hpp"

namespace leitong::hamming {

// For sort_by_leading_bits(), which finds it by argument-dependent lookup.
static constexpr std::uint64_t bits_below(const Repetition& x, unsigned top, unsigned count) noexcept {
  return bits_below(Fingerprint128{x.row, x.first}, top, count);
}

namespace {

constexpr std::uint64_t kRowsAtOnce = 1 << 16;
constexpr std::size_t kFilterBlock = 256;

/// The layout of fingerprints and rows in Partitions: the words of the fingerprint, then a row.
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

template <Fingerprint F>
std::array<std::uint64_t, kRowRecord<F>> row_record(F value, std::uint64_t row) noexcept {
  if constexpr (kWords<F> == 1) {
    return {value, row};
  } else {
    return {value.low, value.high, row};
  }
}

/// Maps a fingerprint to its first row, for one partition after the other.
template <Fingerprint F>
class RowTable {
 public:
  /// Fills the map from these records, which must stay valid.
  void fill(std::span<const std::uint64_t> records) {
    records_ = records;
    const std::size_t size = std::bit_ceil(2 * records.size() / kRowRecord<F> + 1);
    if (slots_.size() < size) slots_ = HugeArray<std::uint64_t>(size);
    mask_ = size - 1;
    std::fill_n(slots_.data(), size, kEmpty);
    later_.clear();
    for (std::size_t i = 0; i < records.size(); i += kRowRecord<F>) {
      if (i + kAhead * kRowRecord<F> < records.size()) prefetch(value_at(i + kAhead * kRowRecord<F>));
      const std::uint64_t hash = hash_of(value_at(i));
      std::uint64_t& slot = find(value_at(i), hash);
      if (slot == kEmpty) {
        slot = tag_of(hash) | i;
      } else if (row_at(slot & kPlace) < row_at(i)) {
        later_.push_back(i);
      } else {
        later_.push_back(slot & kPlace);
        slot = tag_of(hash) | i;
      }
    }
  }
  /// Calls body(i, first row of value_of(i)) for i = 0, step, .. below `end`. REQUIRES values of the records.
  template <class ValueOf, class Body>
  Result<void> look_up(std::size_t end, std::size_t step, ValueOf value_of, Body body) noexcept {
    for (std::size_t i = 0; i < end; i += step) {
      if (i + kAhead * step < end) prefetch(value_of(i + kAhead * step));
      LEITONG_TRY(body(i, first_row(value_of(i))));
    }
    return {};
  }
  /// Appends the rows that are not the first of their fingerprint.
  void append_repetitions(PodVector<Repetition>& to) noexcept {
    for (const std::uint64_t later : later_) to.push_back({first_row(value_at(later)), row_at(later)});
  }

 private:
  // A slot is the position of a record and, above it, bits of the hash that make most accesses to the record
  // unnecessary. With the values themselves, the table would exceed the second-level cache from 1e7
  // fingerprints on.
  static constexpr std::uint64_t kPlace = (std::uint64_t{1} << 44) - 1;
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  static constexpr std::size_t kAhead = 16;  // the tables of 1e9 fingerprints don't fit any cache

  [[nodiscard]] F value_at(std::uint64_t place) const noexcept { return read_value<F>(&records_[place]); }
  [[nodiscard]] std::uint64_t row_at(std::uint64_t place) const noexcept {
    return records_[place + kWords<F>];
  }
  [[nodiscard]] static std::uint64_t tag_of(std::uint64_t hash) noexcept { return hash & ~kPlace; }
  // The low byte of the hash is the same in the whole partition.
  [[nodiscard]] std::size_t slot_of(std::uint64_t hash) const noexcept { return hash >> 8 & mask_; }
  void prefetch(F value) const noexcept { __builtin_prefetch(slots_.data() + slot_of(hash_of(value)), 1); }
  std::uint64_t& find(F value, std::uint64_t hash) noexcept {
    std::size_t at = slot_of(hash);
    while (slots_[at] != kEmpty &&
           (tag_of(slots_[at]) != tag_of(hash) || value_at(slots_[at] & kPlace) != value))
      at = (at + 1) & mask_;
    return slots_[at];
  }
  [[nodiscard]] std::uint64_t first_row(F value) noexcept {
    return row_at(find(value, hash_of(value)) & kPlace);
  }

  std::span<const std::uint64_t> records_;
  HugeArray<std::uint64_t> slots_;
  std::size_t mask_ = 0;
  PodVector<std::uint64_t> later_;  // places
};

/// A thread's working space for a partition, kept for its next one, because fresh pages cost more than the
/// work here.
template <Fingerprint F>
struct PartitionSpace {
  PodVector<std::uint64_t> records, edges;
  RowTable<F> table;
};

/// Runs body(i, writer, space) for all i < count; each thread has its own writer, flushed at the end.
template <Fingerprint F, class Body>
Result<void> write_partitions(StopToken stop, std::size_t count, Partitions& to, Body body) {
  PerThread<Partitions::Writer> writers([&] { return Partitions::Writer(to); });
  Result<void> written = parallel_for_each(
      stop, count, [] { return PartitionSpace<F>(); },
      [&](std::size_t i, PartitionSpace<F>& space) -> Result<void> {
        return body(i, writers.local(), space);
      });
  if (!written) return written;
  return writers.for_each([](Partitions::Writer& writer) { return writer.flush(); });
}

}  // namespace

template <Fingerprint F>
class Binder {
 public:
  Binder(EdgeLog<F>& log, const Source<F>& left, const Source<F>* right, RunContext& run, RowEdges& edges)
      : log_(log), left_(left), right_(right), run_(run), edges_(edges) {}

  Result<void> run() {
    Partitions left_rows(run_);
    LEITONG_TRY(collect_rows(left_, log_.filter(Side::left), left_rows));
    Partitions half_bound(run_);
    LEITONG_TRY(bind_left(left_rows, half_bound));
    if (right_ == nullptr) {
      LEITONG_TRY(bind_right(left_rows, half_bound));
    } else {
      Partitions right_rows(run_);
      LEITONG_TRY(collect_rows(*right_, log_.filter(Side::right), right_rows));
      LEITONG_TRY(bind_right(right_rows, half_bound));
    }
    sort(edges_.repetitions_[0], left_.size());
    if (right_ != nullptr) sort(edges_.repetitions_[1], right_->size());
    return {};
  }

 private:
  void sort(PodVector<Repetition>& repetitions, std::uint64_t rows) const {
    // Sorting by digits is several times as fast, but takes as much memory again.
    if (repetitions.size() * sizeof(Repetition) > run_.memory.for_buffers() / 2) {
      tbb::parallel_sort(repetitions.begin(), repetitions.end());
      return;
    }
    PodVector<Repetition> scratch;
    scratch.resize_for_overwrite(repetitions.size());
    sort_by_leading_bits(repetitions.data(), scratch.data(), repetitions.size(),
                         64 + static_cast<unsigned>(std::bit_width(rows)), true);
  }

  /// Collects (fingerprint, row) of all rows that may have an edge.
  Result<void> collect_rows(const Source<F>& source, const ValueFilter& filter, Partitions& rows) {
    const std::uint64_t pieces = (source.size() + kRowsAtOnce - 1) / kRowsAtOnce;
    return write_partitions<F>(
        run_.stop, pieces, rows, [&](std::size_t piece, Partitions::Writer& writer, auto&) {
          const auto collect = [&](std::span<const F> values, std::uint64_t row) -> Result<void> {
            for (std::size_t i = 0; i < values.size(); i += kFilterBlock)
              LEITONG_TRY(collect_block(values.subspan(i, std::min(kFilterBlock, values.size() - i)), row + i,
                                        filter, writer));
            return {};
          };
          return for_each_piece(source, piece * kRowsAtOnce,
                                std::min((piece + 1) * kRowsAtOnce, source.size()), collect);
        });
  }

  static Result<void> collect_block(std::span<const F> values, std::uint64_t row, const ValueFilter& filter,
                                    Partitions::Writer& writer) {
    // The first step has no branches, because it is irregular which rows pass, and so the look-ups overlap.
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
      const unsigned to = partition_of(hashes[passed[i]]);
      LEITONG_TRY(writer.append(to, row_record(values[passed[i]], row + passed[i])));
    }
    return {};
  }

  Result<void> note_repetitions(RowTable<F>& table, Side side) {
    PodVector<Repetition> found;
    table.append_repetitions(found);
    if (found.empty()) return {};
    const std::scoped_lock lock(mutex_);
    PodVector<Repetition>& all = edges_.repetitions_[static_cast<int>(side)];
    all.append(found);
    const std::uint64_t bytes = all.size() * sizeof(Repetition);
    if (run_.memory.limit() != 0 && bytes > run_.memory.for_buffers())
      return fail(ErrorCode::limit,
                  fmt::format("{} rows repeat the fingerprint of another, and listing them takes {} bytes; "
                              "allow more memory",
                              all.size(), bytes));
    return {};
  }

  /// Turns (x, y) into (y, row of x and distance), in the partition of y.
  Result<void> bind_left(Partitions& rows, Partitions& half_bound) {
    return write_partitions<F>(
        run_.stop, Partitions::kCount, half_bound,
        [&](std::size_t i, Partitions::Writer& writer, PartitionSpace<F>& space) -> Result<void> {
          const auto partition = static_cast<unsigned>(i);
          PodVector<std::uint64_t>&records = space.records, &edges = space.edges;
          RowTable<F>& table = space.table;
          LEITONG_TRY(rows.load(partition, records));
          LEITONG_TRY(log_.edges().take(partition, edges));
          table.fill(records);
          LEITONG_TRY(note_repetitions(table, Side::left));
          const auto left = [&](std::size_t at) { return read_value<F>(&edges[at]); };
          return table.look_up(edges.size(), EdgeRecord<F>::kWords, left,
                               [&](std::size_t at, std::uint64_t row) -> Result<void> {
                                 const F y = read_value<F>(&edges[at + kWords<F>]);
                                 return writer.append(
                                     partition_of(hash_of(y)),
                                     row_record(y, row << RowEdges::kDistanceBits | distance(left(at), y)));
                               });
        });
  }

  /// Turns (y, row of x and distance) into (row, row and distance), in the partition of the first row.
  Result<void> bind_right(Partitions& rows, Partitions& half_bound) {
    const bool self = right_ == nullptr;
    return write_partitions<F>(
        run_.stop, Partitions::kCount, edges_.edges_,
        [&](std::size_t i, Partitions::Writer& writer, PartitionSpace<F>& space) -> Result<void> {
          const auto partition = static_cast<unsigned>(i);
          PodVector<std::uint64_t>&records = space.records, &edges = space.edges;
          RowTable<F>& table = space.table;
          LEITONG_TRY(rows.take(partition, records));
          LEITONG_TRY(half_bound.take(partition, edges));
          table.fill(records);
          if (!self) LEITONG_TRY(note_repetitions(table, Side::right));
          const auto right = [&](std::size_t at) { return read_value<F>(&edges[at]); };
          return table.look_up(
              edges.size(), kRowRecord<F>, right, [&](std::size_t at, std::uint64_t b) -> Result<void> {
                constexpr std::uint64_t kDistance = (1u << RowEdges::kDistanceBits) - 1;
                const std::uint64_t mixed = edges[at + kWords<F>];
                std::uint64_t a = mixed >> RowEdges::kDistanceBits;
                if (self && a > b) std::swap(a, b);
                return writer.append(static_cast<unsigned>(a / edges_.rows_each_),
                                     std::array{b << RowEdges::kDistanceBits | (mixed & kDistance), a});
              });
        });
  }

  EdgeLog<F>& log_;
  const Source<F>& left_;
  const Source<F>* right_;
  RunContext& run_;
  RowEdges& edges_;
  std::mutex mutex_;
};

template <Fingerprint F>
Result<void> bind(EdgeLog<F>& log, const Source<F>& left, const Source<F>* right, RunContext& run,
                  RowEdges& edges) {
  return Binder<F>(log, left, right, run, edges).run();
}

Result<void> RowEdges::for_each_edge(const RowPairsFn& each) {
  // Edges are sorted in parallel and delivered one after the other.
  if (edges_.size() == 0) return {};
  struct Space {
    PodVector<std::uint64_t> words;
    PodVector<Fingerprint128> keys, scratch;  // the row on the left above the row on the right
  };
  const auto window = static_cast<unsigned>(2 * threads_here());
  std::vector<PodVector<RowPair>> pairs(window);
  const unsigned row_bits = static_cast<unsigned>(std::bit_width(rows_each_));
  for (unsigned begin = 0; begin < Partitions::kCount; begin += window) {
    const unsigned count = std::min(window, Partitions::kCount - begin);
    const auto sort_one = [&](std::size_t i, Space& space) -> Result<void> {
      auto& [words, keys, scratch] = space;
      const std::uint64_t first_row = (begin + i) * rows_each_;
      LEITONG_TRY(edges_.load(begin + static_cast<unsigned>(i), words));
      keys.resize_for_overwrite(words.size() / 2);
      scratch.resize_for_overwrite(keys.size());
      pairs[i].resize_for_overwrite(keys.size());
      for (std::size_t at = 0; at < keys.size(); ++at)
        keys[at] = {words[2 * at], words[2 * at + 1] - first_row};
      sort_by_leading_bits(keys.data(), scratch.data(), keys.size(), 64 + row_bits, true);
      for (std::size_t at = 0; at < keys.size(); ++at)
        pairs[i][at] = {keys[at].high + first_row, keys[at].low >> kDistanceBits,
                        static_cast<std::uint32_t>(keys[at].low) & ((1u << kDistanceBits) - 1)};
      return {};
    };
    LEITONG_TRY(parallel_for_each(
        run_.stop, count, [] { return Space(); }, sort_one));
    for (unsigned i = 0; i < count; ++i)
      if (!pairs[i].empty()) LEITONG_TRY(each(pairs[i]));
  }
  return {};
}

template Result<void> bind(EdgeLog<Fingerprint64>&, const Source<Fingerprint64>&,
                           const Source<Fingerprint64>*, RunContext&, RowEdges&);
template Result<void> bind(EdgeLog<Fingerprint128>&, const Source<Fingerprint128>&,
                           const Source<Fingerprint128>*, RunContext&, RowEdges&);

}  // namespace leitong::hamming
