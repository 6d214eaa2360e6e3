#include "index/hamming/mutable_level.hpp"

#include <algorithm>
#include <bit>

#include "base/hash.hpp"
#include "index/hamming/radii.hpp"

namespace leitong::hamming {
namespace {

using Heads = std::unique_ptr<std::atomic<std::uint32_t>[]>;

Heads empty_heads(std::size_t count, std::uint32_t end) {
  auto heads = std::make_unique<std::atomic<std::uint32_t>[]>(count);
  for (std::size_t i = 0; i < count; ++i) heads[i].store(end, std::memory_order_relaxed);
  return heads;
}

}  // namespace

template <Fingerprint F>
MutableLevel<F>::MutableLevel(const std::vector<TableShape<F>>& shapes, std::uint32_t capacity)
    : capacity_(capacity),
      removal_bits_(static_cast<unsigned>(std::bit_width(capacity)) - 1),
      log_(capacity),
      next_(capacity * shapes.size()),
      removals_(empty_heads(std::size_t{1} << removal_bits_, kEnd)) {
  for (const TableShape<F>& shape : shapes)
    tables_.push_back({shape, runs_of(shape.mask), flips_of(shape.key_bits(), shape.radius),
                       empty_heads(std::size_t{1} << shape.key_bits(), kEnd)});
}

template <Fingerprint F>
void MutableLevel<F>::insert(const Row<F>& row) noexcept {
  const std::uint32_t change = changes_.load(std::memory_order_relaxed);
  log_[change] = {row, false};
  for (std::size_t t = 0; t < tables_.size(); ++t)
    next(change, t) = tables_[t].heads[key(tables_[t], row.fingerprint)].load(std::memory_order_relaxed);
  for (const Table& table : tables_)
    table.heads[key(table, row.fingerprint)].store(change, std::memory_order_release);
  changes_.store(change + 1, std::memory_order_release);
}

template <Fingerprint F>
void MutableLevel<F>::remove(const Row<F>& row) noexcept {
  const std::uint32_t change = changes_.load(std::memory_order_relaxed);
  log_[change] = {row, true};
  std::atomic<std::uint32_t>& head = removals_[removal_slot(row)];
  next(change, 0) = head.load(std::memory_order_relaxed);
  head.store(change, std::memory_order_release);
  removal_count_.fetch_add(1, std::memory_order_relaxed);
  changes_.store(change + 1, std::memory_order_release);
}

template <Fingerprint F>
void MutableLevel<F>::search(std::span<const F> queries, std::span<const std::int16_t> limits,
                             std::uint32_t visible, std::vector<Hit<F>>& hits) const {
  if (visible == 0) return;
  const int most = *std::max_element(limits.begin(), limits.end());
  if (most < 0) return;
  std::vector<Exclusion> radii;
  for (const Table& table : tables_) radii.push_back(exclusion_of(table.shape));
  lower_radii(radii, static_cast<unsigned>(most));
  const auto finds = [&](std::size_t table, F difference) {
    return static_cast<int>(count_ones(difference & tables_[table].shape.mask)) <= radii[table].radius;
  };
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    if (radii[t].radius < 0) continue;
    const Table& table = tables_[t];
    for (const F query : queries) __builtin_prefetch(&table.heads[key(table, query)]);
    for (std::uint32_t q = 0; q < queries.size(); ++q) {
      const std::uint32_t own = key(table, queries[q]);
      for (const std::uint32_t flip : table.flips) {
        if (static_cast<int>(count_ones(Fingerprint64{flip})) > std::min<int>(radii[t].radius, limits[q]))
          break;
        for (std::uint32_t change = table.heads[own ^ flip].load(std::memory_order_acquire); change != kEnd;
             change = next(change, t)) {
          const Row<F>& row = log_[change].row;
          const F difference = row.fingerprint ^ queries[q];
          if (change >= visible || static_cast<int>(count_ones(difference)) > limits[q]) continue;
          bool found_before = false;
          for (std::size_t before = 0; before < t; ++before)
            found_before = found_before || finds(before, difference);
          if (found_before || removes(row, visible, change)) continue;
          hits.push_back({row.fingerprint, row.id, q, count_ones(difference)});
        }
      }
    }
  }
}

template <Fingerprint F>
std::size_t MutableLevel<F>::removal_slot(const Row<F>& row) const noexcept {
  std::uint64_t hash = mix64(row.id);
  for (unsigned i = 0; i < kWords<F>; ++i) hash = mix64(hash ^ word(row.fingerprint, i));
  return hash & ((std::size_t{1} << removal_bits_) - 1);
}

template <Fingerprint F>
bool MutableLevel<F>::removes(const Row<F>& row, std::uint32_t visible, std::uint32_t after) const noexcept {
  if (removal_count_.load(std::memory_order_relaxed) == 0) return false;
  for (std::uint32_t change = removals_[removal_slot(row)].load(std::memory_order_acquire); change != kEnd;
       change = next(change, 0)) {
    if (change < after) return false;  // older ones follow
    if (change < visible && log_[change].row == row) return true;
  }
  return false;
}

template <Fingerprint F>
std::vector<Row<F>> MutableLevel<F>::rows() const {
  std::vector<Row<F>> rows;
  const std::uint32_t visible = changes();
  for (std::uint32_t i = 0; i < visible; ++i)
    if (!log_[i].removal && !removes(log_[i].row, visible, i)) rows.push_back(log_[i].row);
  return rows;
}

template <Fingerprint F>
std::vector<Row<F>> MutableLevel<F>::removed() const {
  std::vector<Row<F>> rows;
  for (std::uint32_t i = 0; i < changes(); ++i)
    if (log_[i].removal) rows.push_back(log_[i].row);
  return rows;
}

template class MutableLevel<Fingerprint64>;
template class MutableLevel<Fingerprint128>;

}  // namespace leitong::hamming
