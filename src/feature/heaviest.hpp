// Finds the heaviest of many items, and examines most of them only once.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/pod_vector.hpp"

namespace leitong {

/// Keeps the `count` heaviest items of those that were added in `items`, which is replaced. An item has a
/// `hash` and a `weight` above 0. Among equal weights the item with the smaller hash counts as heavier. O(1)
/// an item on average. REQUIRES count > 0.
template <class Item>
class Heaviest {
 public:
  Heaviest(std::size_t count, PodVector<Item>& items)
      : count_(count), room_(count + std::max(count, kRoom)), items_(items) {
    items_.clear();
  }

  /// False if the item is too light. Then nothing else of it needs to be computed.
  [[nodiscard]] bool wants(float weight) const noexcept { return weight >= least_; }
  void add(const Item& item) {
    items_.push_back(item);
    if (items_.size() == room_) drop_lightest();
  }

  /// Sorts the heaviest items. Called once, at the end.
  void finish() {
    if (items_.size() > count_) drop_lightest();
    sort();
  }

 private:
  static constexpr std::size_t kRoom = 32;  // so many items more than are kept fit in
  static constexpr std::size_t kFew = 24;   // up to so many are sorted by counting the heavier ones

  // The comparison has no branch, since it cannot be predicted which item is heavier.
  struct Heavier {
    bool operator()(const Item& a, const Item& b) const noexcept {
      return (a.weight > b.weight) | ((a.weight == b.weight) & (a.hash < b.hash));
    }
  };

  void drop_lightest() {
    std::nth_element(items_.begin(), items_.begin() + (count_ - 1), items_.end(), Heavier());
    items_.resize_for_overwrite(count_);
    least_ = items_.back().weight;
  }

  void sort() {
    const std::size_t count = items_.size();
    if (count > kFew) return std::sort(items_.begin(), items_.end(), Heavier());
    items_.reserve(2 * count);
    items_.append(items_);
    const Item* const unsorted = items_.begin() + count;
    std::array<std::uint8_t, kFew> above{};
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool first = Heavier()(unsorted[j], unsorted[i]);
        above[i] += first;
        above[j] += !first;
      }
    }
    for (std::size_t i = 0; i < count; ++i) items_[above[i]] = unsorted[i];
    items_.resize_for_overwrite(count);
  }

  std::size_t count_, room_;
  PodVector<Item>& items_;
  float least_ = std::numeric_limits<float>::denorm_min();  // above 0, which terms are
};

}  // namespace leitong
