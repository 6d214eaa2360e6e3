// The units of items one after the other, and the number of an item that is already there.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// Sequences of units by number, each once.
class ItemTexts {
 public:
  /// The number of an equal sequence, or a new one, and whether it is new.
  std::pair<std::uint32_t, bool> add(std::span<const Unit> units);
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(ends_.size()); }
  [[nodiscard]] std::span<const Unit> operator[](std::uint32_t item) const noexcept {
    const std::size_t begin = item == 0 ? 0 : ends_[item - 1];
    return {units_.data() + begin, ends_[item] - begin};
  }

 private:
  PodVector<Unit> units_;
  std::vector<std::size_t> ends_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
};

}  // namespace leitong
