// Counts distinct numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/halves.hpp"
#include "base/pod_vector.hpp"

namespace leitong {

/// Counts the distinct ones of the numbers that are added. The table is never cleared: each slot stores the
/// round in which it was filled.
class DistinctCount {
 public:
  /// Starts a new count of at most `most` numbers.
  void clear(std::size_t most) {
    const std::size_t slots = std::bit_ceil(2 * most);
    if (slots > slots_.size() || time_ == UINT32_MAX) {
      slots_.clear();
      slots_.resize(slots, 0);
      time_ = 0;
    }
    shift_ = 32 - static_cast<unsigned>(std::bit_width(slots - 1));
    mask_ = slots - 1;
    ++time_;
    count_ = 0;
  }
  void add(std::uint32_t number) noexcept {
    const std::uint64_t filled = join_halves(time_, number);
    std::size_t at = number * 0x9E3779B1U >> shift_;
    while (slots_[at] != filled && high_half(slots_[at]) == time_) at = (at + 1) & mask_;
    count_ += slots_[at] != filled;
    slots_[at] = filled;
  }
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }

 private:
  PodVector<std::uint64_t> slots_;  // the round, and the number
  std::size_t mask_ = 0;
  unsigned shift_ = 0;
  std::uint32_t time_ = 0, count_ = 0;
};

}  // namespace leitong
