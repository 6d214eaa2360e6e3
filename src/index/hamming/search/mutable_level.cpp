#include "index/hamming/search/mutable_level.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/hash.hpp"
#include "index/hamming/search/radii.hpp"

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
      node_size_(kFingerprint + shapes.size()),
      nodes_(capacity * node_size_),
      ids_(capacity),
      is_removal_(capacity),
      removals_(empty_heads(std::size_t{1} << removal_bits_, kEnd)) {
  for (const TableShape<F>& shape : shapes)
    tables_.push_back({shape, runs_of(shape.mask), flips_of(shape.key_bits(), shape.radius),
                       empty_heads(std::size_t{1} << shape.key_bits(), kEnd)});
}

template <Fingerprint F>
std::uint32_t MutableLevel<F>::append(const Row<F>& row) noexcept {
  const std::uint32_t change = changes_.load(std::memory_order_relaxed);
  std::memcpy(&nodes_[change * node_size_], &row.fingerprint, sizeof(F));
  ids_[change] = row.id;
  return change;
}

template <Fingerprint F>
Row<F> MutableLevel<F>::row(std::uint32_t change) const noexcept {
  Row<F> result{{}, ids_[change]};
  std::memcpy(static_cast<void*>(&result.fingerprint), &nodes_[change * node_size_], sizeof(F));
  return result;
}

template <Fingerprint F>
void MutableLevel<F>::insert(const Row<F>& row) noexcept {
  const std::uint32_t change = append(row);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    std::atomic<std::uint32_t>& head = tables_[t].heads[key(tables_[t], row.fingerprint)];
    next(change, t) = head.load(std::memory_order_relaxed);
    head.store(change, std::memory_order_release);
  }
  changes_.store(change + 1, std::memory_order_release);
}

template <Fingerprint F>
void MutableLevel<F>::remove(const Row<F>& row) noexcept {
  const std::uint32_t change = append(row);
  is_removal_[change] = 1;
  std::atomic<std::uint32_t>& head = removals_[removal_slot(row)];
  next(change, 0) = head.load(std::memory_order_relaxed);
  head.store(change, std::memory_order_release);
  removal_count_.fetch_add(1, std::memory_order_relaxed);
  changes_.store(change + 1, std::memory_order_release);
}

template <Fingerprint F>
void MutableLevel<F>::list_visits(const Table& table, int radius, std::span<const F> queries,
                                  std::span<const std::int16_t> limits, std::vector<Visit>& visits) const {
  visits.clear();
  for (std::uint32_t q = 0; q < queries.size(); ++q) {
    const std::uint32_t own = key(table, queries[q]);
    const int most = std::min<int>(radius, limits[q]);
    for (const std::uint32_t flip : table.flips) {
      if (static_cast<int>(count_ones(Fingerprint64{flip})) > most) break;
      visits.push_back({&table.heads[own ^ flip], q, kEnd});
      __builtin_prefetch(visits.back().head);
    }
  }
}

template <Fingerprint F>
void MutableLevel<F>::search(std::span<const F> queries, std::span<const std::int16_t> limits,
                             std::uint32_t visible, std::vector<Hit<F>>& hits) const {
  const int most = *std::max_element(limits.begin(), limits.end());
  if (visible == 0 || most < 0) return;
  std::vector<Exclusion> own;
  own.reserve(tables_.size());
  for (const Table& table : tables_) own.push_back(exclusion_of(table.shape));
  lower_radii(own, static_cast<unsigned>(most));
  const auto finds = [&](std::size_t table, F difference) {
    return static_cast<int>(count_ones(difference & tables_[table].shape.mask)) <= own[table].radius;
  };
  std::vector<Visit> visits;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    if (own[t].radius < 0) continue;
    list_visits(tables_[t], own[t].radius, queries, limits, visits);
    for (Visit& visit : visits) {
      visit.change = visit.head->load(std::memory_order_acquire);
      if (visit.change != kEnd) __builtin_prefetch(&nodes_[visit.change * node_size_]);
    }
    for (const Visit& visit : visits) {
      for (std::uint32_t change = visit.change; change != kEnd; change = next(change, t)) {
        F fingerprint;
        std::memcpy(static_cast<void*>(&fingerprint), &nodes_[change * node_size_], sizeof fingerprint);
        const F difference = fingerprint ^ queries[visit.query];
        if (change >= visible || static_cast<int>(count_ones(difference)) > limits[visit.query]) continue;
        bool found_before = false;
        for (std::size_t before = 0; before < t; ++before)
          found_before = found_before || finds(before, difference);
        if (found_before || removes({fingerprint, ids_[change]}, visible, change)) continue;
        hits.push_back({fingerprint, ids_[change], visit.query, count_ones(difference)});
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
  if (!has_removals()) return false;
  for (std::uint32_t change = removals_[removal_slot(row)].load(std::memory_order_acquire); change != kEnd;
       change = next(change, 0)) {
    if (change < after) return false;  // older changes follow
    if (change < visible && this->row(change) == row) return true;
  }
  return false;
}

template <Fingerprint F>
std::vector<Row<F>> MutableLevel<F>::rows() const {
  std::vector<Row<F>> rows;
  const std::uint32_t visible = changes();
  for (std::uint32_t i = 0; i < visible; ++i)
    if (is_removal_[i] == 0 && !removes(row(i), visible, i)) rows.push_back(row(i));
  return rows;
}

template <Fingerprint F>
std::vector<Row<F>> MutableLevel<F>::removed() const {
  std::vector<Row<F>> rows;
  const std::uint32_t visible = changes();
  for (std::uint32_t i = 0; i < visible; ++i)
    if (is_removal_[i] != 0) rows.push_back(row(i));
  return rows;
}

template class MutableLevel<Fingerprint64>;
template class MutableLevel<Fingerprint128>;

}  // namespace leitong::hamming
