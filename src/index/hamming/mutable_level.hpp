// The newest changes of an index: searched while they are written.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/huge_array.hpp"
#include "index/hamming/probe_kernel.hpp"
#include "index/hamming/row.hpp"

namespace leitong::hamming {

/// A log of insertions and removals of bounded length, with hash tables over it. One thread writes, any
/// number read; neither waits. A reader says how many changes it wants to see, so later ones don't disturb
/// it.
///
/// Changes are only ever added in front of chains, and each is complete before the head that leads to it is
/// stored (release); readers load heads first (acquire).
template <Fingerprint F>
class MutableLevel {
 public:
  /// REQUIRES that `shapes` find everything within the distances that will be searched, all of code plain.
  MutableLevel(const std::vector<TableShape<F>>& shapes, std::uint32_t capacity);

  /// REQUIRES changes() < capacity().
  void insert(const Row<F>& row) noexcept;
  void remove(const Row<F>& row) noexcept;

  [[nodiscard]] std::uint32_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::uint32_t changes() const noexcept { return changes_.load(std::memory_order_acquire); }

  /// Appends the rows within limits[i] of queries[i] that are there after the first `visible` changes. A row
  /// that was inserted twice may be found twice.
  void search(std::span<const F> queries, std::span<const std::int16_t> limits, std::uint32_t visible,
              std::vector<Hit<F>>& hits) const;
  /// Is there a removal of this row among the changes [after, visible)?
  [[nodiscard]] bool removes(const Row<F>& row, std::uint32_t visible,
                             std::uint32_t after = 0) const noexcept;
  /// The rows that are there after all changes, and those that were removed at any time.
  [[nodiscard]] std::vector<Row<F>> rows() const;
  [[nodiscard]] std::vector<Row<F>> removed() const;

 private:
  static constexpr std::uint32_t kEnd = 0xffffffff;
  struct Change {
    Row<F> row;
    bool removal;
  };
  struct Table {
    TableShape<F> shape;
    BitRuns runs;
    std::vector<std::uint32_t> flips;
    std::unique_ptr<std::atomic<std::uint32_t>[]> heads;
  };

  [[nodiscard]] static std::uint32_t key(const Table& table, F fingerprint) noexcept {
    return static_cast<std::uint32_t>(word(gather(fingerprint, table.runs), 0));
  }
  [[nodiscard]] std::uint32_t& next(std::uint32_t change, std::size_t table) noexcept {
    return next_[change * tables_.size() + table];
  }
  [[nodiscard]] std::uint32_t next(std::uint32_t change, std::size_t table) const noexcept {
    return next_[change * tables_.size() + table];
  }
  [[nodiscard]] std::size_t removal_slot(const Row<F>& row) const noexcept;

  std::uint32_t capacity_;
  unsigned removal_bits_;
  std::vector<Table> tables_;
  HugeArray<Change> log_;
  HugeArray<std::uint32_t> next_;  // of each change, one for each table; a removal's chain uses the first
  std::unique_ptr<std::atomic<std::uint32_t>[]> removals_;  // heads of the chains of removals
  std::atomic<std::uint32_t> removal_count_{0};
  std::atomic<std::uint32_t> changes_{0};
};

}  // namespace leitong::hamming
