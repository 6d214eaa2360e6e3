// Small numbers for texts that are known by large ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash.hpp"

namespace leitong {

/// Gives each different text a number, in the order in which they come. At most 2^32 - 1 texts.
class TextNumbers {
 public:
  [[nodiscard]] std::uint32_t operator()(std::int64_t text) {
    if (2 * texts_.size() >= slots_.size()) grow();
    std::uint32_t& slot = slot_of(text);
    if (slot == kFree) {
      slot = static_cast<std::uint32_t>(texts_.size());
      texts_.push_back(text);
    }
    return slot;
  }

  [[nodiscard]] std::size_t size() const noexcept { return texts_.size(); }
  [[nodiscard]] std::int64_t text(std::uint32_t number) const { return texts_[number]; }

  /// For each number the place of its text among all of them in ascending order. Sorts the texts: afterwards
  /// they are known by their places.
  [[nodiscard]] std::vector<std::uint32_t> sort() {
    std::vector<std::pair<std::int64_t, std::uint32_t>> order(texts_.size());
    for (std::uint32_t n = 0; n < order.size(); ++n) order[n] = {texts_[n], n};
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> places(order.size());
    for (std::uint32_t place = 0; place < order.size(); ++place) {
      places[order[place].second] = place;
      texts_[place] = order[place].first;
    }
    return places;
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;

  [[nodiscard]] std::uint32_t& slot_of(std::int64_t text) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = mix64(static_cast<std::uint64_t>(text)) & mask;
    while (slots_[at] != kFree && texts_[slots_[at]] != text) at = (at + 1) & mask;
    return slots_[at];
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(16, 2 * slots_.size()), kFree);
    for (std::uint32_t n = 0; n < texts_.size(); ++n) slot_of(texts_[n]) = n;
  }

  std::vector<std::int64_t> texts_;
  std::vector<std::uint32_t> slots_;  // numbers, by the hash of their texts; a power of two of them
};

}  // namespace leitong
