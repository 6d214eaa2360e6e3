// The latest changes of an index, which can be searched while they are written.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/huge_array.hpp"
#include "index/hamming/search/probe_kernel.hpp"
#include "index/hamming/source.hpp"

namespace leitong::hamming {

/// A log of insertions and removals of limited length, with hash tables. One thread writes and any number of
/// threads read; none of them waits. A reader says how many changes it wants to see, so later ones do not
/// disturb it.
///
/// A change is added only at the front of a chain, and it is complete before the head that leads to it is
/// stored (release). Readers load the heads first (acquire).
template <Fingerprint F>
class MutableLevel {
 public:
  /// REQUIRES that `shapes` find everything within the distances of searches, and that all have the code
  /// plain.
  MutableLevel(const std::vector<TableShape<F>>& shapes, std::uint32_t capacity);

  /// REQUIRES changes() < capacity().
  void insert(const Row<F>& row) noexcept;
  void remove(const Row<F>& row) noexcept;

  [[nodiscard]] std::uint32_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::uint32_t changes() const noexcept { return changes_.load(std::memory_order_acquire); }

  /// Appends the rows within limits[i] of queries[i] that exist after the first `visible` changes. A row that
  /// was inserted twice may be found twice.
  void search(std::span<const F> queries, std::span<const std::int16_t> limits, std::uint32_t visible,
              std::vector<Hit<F>>& hits) const;
  /// Do the changes [after, visible) remove this row?
  [[nodiscard]] bool removes(const Row<F>& row, std::uint32_t visible,
                             std::uint32_t after = 0) const noexcept;
  [[nodiscard]] bool has_removals() const noexcept {
    return removal_count_.load(std::memory_order_relaxed) != 0;
  }
  /// The rows that exist after all changes, and those that were ever removed.
  [[nodiscard]] std::vector<Row<F>> rows() const;
  [[nodiscard]] std::vector<Row<F>> removed() const;

 private:
  static constexpr std::uint32_t kEnd = 0xffffffff;
  static constexpr std::size_t kFingerprint = sizeof(F) / sizeof(std::uint32_t);
  struct Table {
    TableShape<F> shape;
    BitRuns runs;
    std::vector<std::uint32_t> flips;
    std::unique_ptr<std::atomic<std::uint32_t>[]> heads;
  };
  /// A chain that is searched for a query.
  struct Visit {
    const std::atomic<std::uint32_t>* head;
    std::uint32_t query, change;
  };

  std::uint32_t append(const Row<F>& row) noexcept;
  [[nodiscard]] static std::uint32_t key(const Table& table, F fingerprint) noexcept {
    return static_cast<std::uint32_t>(word(gather(fingerprint, table.runs), 0));
  }
  [[nodiscard]] Row<F> row(std::uint32_t change) const noexcept;
  [[nodiscard]] std::uint32_t& next(std::uint32_t change, std::size_t table) noexcept {
    return nodes_[change * node_size_ + kFingerprint + table];
  }
  [[nodiscard]] std::uint32_t next(std::uint32_t change, std::size_t table) const noexcept {
    return nodes_[change * node_size_ + kFingerprint + table];
  }
  [[nodiscard]] std::size_t removal_slot(const Row<F>& row) const noexcept;
  void list_visits(const Table& table, int radius, std::span<const F> queries,
                   std::span<const std::int16_t> limits, std::vector<Visit>& visits) const;

  std::uint32_t capacity_;
  unsigned removal_bits_;
  std::vector<Table> tables_;
  // The size of a node: the fingerprint of a change and, for each table, the next change in the chain,
  // together, so that a step along a chain reads one cache line. A removal is only in one chain, that of the
  // first table's field.
  std::size_t node_size_;
  HugeArray<std::uint32_t> nodes_;
  HugeArray<std::uint64_t> ids_;
  HugeArray<std::uint8_t> is_removal_;
  std::unique_ptr<std::atomic<std::uint32_t>[]> removals_;  // heads of the chains of removals
  std::atomic<std::uint32_t> removal_count_{0};
  std::atomic<std::uint32_t> changes_{0};
};

}  // namespace leitong::hamming
