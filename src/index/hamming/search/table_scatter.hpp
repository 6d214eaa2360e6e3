// Fills tables that are too large to be sorted elsewhere first. Internal to src/index/hamming.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "base/huge_array.hpp"
#include "index/hamming/search/probe_kernel.hpp"
#include "index/hamming/source.hpp"

namespace leitong::hamming {

/// Puts values directly into their buckets: counts them first, then puts them one after another, then sorts
/// each bucket in place. Needs no memory beyond the table, reads the input twice, and takes three random
/// accesses for each value, which overlap in batches.
template <Fingerprint F>
class TableScatter {
 public:
  /// The place for the ids of the values, in one of the two members, with the indexes of the values. Both are
  /// empty if there are no ids.
  struct Ids {
    std::span<std::uint32_t> narrow;
    std::span<std::uint64_t> wide;
  };

  explicit TableScatter(const TableShape<F>& shape)
      : code_(shape), size_(shape.entry_bytes()), directory_((std::size_t{1} << shape.key_bits()) + 1) {}

  /// First pass: every row.
  void count(const Row<F>& row) {
    batch_[batched_++] = {code_.encode(row.fingerprint), row.id};
    __builtin_prefetch(&directory_[batch_[batched_ - 1].coded.key + std::size_t{1}], 1);
    if (batched_ == batch_.size()) count_batch();
  }
  /// Between the passes.
  void begin_putting(Ids ids) {
    count_batch();
    for (std::size_t i = 1; i < directory_.size(); ++i) directory_[i] += directory_[i - 1];
    entries_ = HugeArray<std::uint8_t>(std::size_t{directory_[directory_.size() - 1]} * size_ + kEntrySlack);
    ids_ = ids;
  }
  /// Second pass: the same rows, in any order.
  void put(const Row<F>& row) {
    batch_[batched_++] = {code_.encode(row.fingerprint), row.id};
    __builtin_prefetch(&directory_[batch_[batched_ - 1].coded.key], 1);
    if (batched_ == batch_.size()) put_batch();
  }
  /// Sorts each bucket, keeps one of equal values, and calls on_row(position, id) for each row in order.
  /// Returns the number of values that were kept.
  template <class OnRow>
  std::uint32_t finish(const OnRow& on_row) {
    put_batch();
    std::vector<Row<F>> bucket;
    std::uint32_t kept = 0;
    // The second pass has moved each bucket's begin to its end, which is the begin of the next one.
    for (std::size_t key = 0, begin = 0; key + 1 < directory_.size(); ++key) {
      const std::uint32_t end = directory_[key];
      bucket.clear();
      for (std::size_t i = begin; i < end; ++i) bucket.push_back({value(i), id(i)});
      std::sort(bucket.begin(), bucket.end());
      directory_[key] = kept;
      for (std::size_t i = 0; i < bucket.size(); ++i) {
        if (i > 0 && bucket[i] == bucket[i - 1]) continue;
        if (i == 0 || bucket[i].fingerprint != bucket[i - 1].fingerprint)
          std::memcpy(entries_.data() + std::size_t{kept++} * size_, &bucket[i].fingerprint,
                      std::min(size_, sizeof(F)));
        on_row(kept - 1, bucket[i].id);
      }
      begin = end;
    }
    directory_[directory_.size() - 1] = kept;
    std::memset(entries_.data() + std::size_t{kept} * size_, 0, kEntrySlack);
    return kept;
  }
  [[nodiscard]] HugeArray<std::uint32_t> take_directory() noexcept { return std::move(directory_); }
  [[nodiscard]] HugeArray<std::uint8_t> take_entries() noexcept { return std::move(entries_); }

 private:
  struct Item {
    Coded<F> coded;
    std::uint64_t id;
  };

  void count_batch() {
    for (std::size_t i = 0; i < batched_; ++i) ++directory_[batch_[i].coded.key + std::size_t{1}];
    batched_ = 0;
  }
  void put_batch() {
    std::array<std::uint32_t, kBatch> places;
    for (std::size_t i = 0; i < batched_; ++i) {
      places[i] = directory_[batch_[i].coded.key]++;
      __builtin_prefetch(entries_.data() + std::size_t{places[i]} * size_, 1);
      if (!ids_.narrow.empty()) __builtin_prefetch(&ids_.narrow[places[i]], 1);
      if (!ids_.wide.empty()) __builtin_prefetch(&ids_.wide[places[i]], 1);
    }
    for (std::size_t i = 0; i < batched_; ++i) {
      std::memcpy(entries_.data() + std::size_t{places[i]} * size_, &batch_[i].coded.value,
                  std::min(size_, sizeof(F)));
      if (!ids_.narrow.empty()) ids_.narrow[places[i]] = static_cast<std::uint32_t>(batch_[i].id);
      if (!ids_.wide.empty()) ids_.wide[places[i]] = batch_[i].id;
    }
    batched_ = 0;
  }
  [[nodiscard]] F value(std::size_t i) const noexcept {
    F result{};
    std::memcpy(static_cast<void*>(&result), entries_.data() + i * size_, std::min(size_, sizeof(F)));
    return result;
  }
  [[nodiscard]] std::uint64_t id(std::size_t i) const noexcept {
    if (!ids_.narrow.empty()) return ids_.narrow[i];
    return ids_.wide.empty() ? 0 : ids_.wide[i];
  }

  static constexpr std::size_t kBatch = 64;
  TableCode<F> code_;
  std::size_t size_;
  HugeArray<std::uint32_t> directory_;
  HugeArray<std::uint8_t> entries_;
  Ids ids_{};
  std::array<Item, kBatch> batch_;
  std::size_t batched_ = 0;
};

}  // namespace leitong::hamming
