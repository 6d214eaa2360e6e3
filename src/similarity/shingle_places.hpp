// Where in a text does a shingle stand?
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"

namespace leitong {

/// The places of the shingles of one text, by their hashes. 16 to 32 bytes a shingle.
class ShinglePlaces {
 public:
  static constexpr std::uint32_t kNowhere = UINT32_MAX;
  static constexpr std::uint32_t kSeveral = UINT32_MAX - 1;

  ShinglePlaces() = default;
  /// `shingles`: the hashes as they follow in the text. O(n) expected, where hashes are spread evenly.
  explicit ShinglePlaces(std::span<const std::uint32_t> shingles) {
    const auto size = std::bit_ceil(2 * std::max<std::size_t>(shingles.size(), 1) + 1);
    shift_ = 32 - static_cast<unsigned>(std::countr_zero(size));
    entries_.resize(size, {0, kNowhere});
    for (std::uint32_t i = 0; i < shingles.size(); ++i) {
      Entry& entry = entries_[slot(shingles[i])];
      entry = {shingles[i], entry.place == kNowhere ? i : kSeveral};
    }
  }

  /// The place of a shingle that stands there once, kSeveral, or kNowhere.
  [[nodiscard]] std::uint32_t of(std::uint32_t shingle) const noexcept {
    return entries_[slot(shingle)].place;
  }
  [[nodiscard]] bool contains(std::uint32_t shingle) const noexcept { return of(shingle) != kNowhere; }

 private:
  struct Entry {
    std::uint32_t shingle, place;
  };
  // Where it is, or would be.
  [[nodiscard]] std::size_t slot(std::uint32_t shingle) const noexcept {
    std::size_t at = static_cast<std::uint64_t>(shingle) >> shift_;
    while (entries_[at].place != kNowhere && entries_[at].shingle != shingle)
      at = (at + 1) & (entries_.size() - 1);
    return at;
  }

  PodVector<Entry> entries_;  // open addressing
  unsigned shift_ = 0;
};

}  // namespace leitong
