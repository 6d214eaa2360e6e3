// Finds the place of a shingle in a text.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"

namespace leitong {

/// The places of the shingles of one text, by their hashes. Any number of threads may query it.
class ShinglePlaces {
 public:
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  ShinglePlaces() = default;
  /// `shingles` are the hashes in the order of the text, which must not move. O(n) expected if the hashes are
  /// evenly distributed.
  explicit ShinglePlaces(std::span<const std::uint32_t> shingles);

  /// The bytes for so many shingles: 9 to 14 each.
  [[nodiscard]] static constexpr std::uint64_t bytes(std::uint64_t shingles) noexcept {
    return (sizeof(std::uint32_t) + 1) * size_for(shingles) + sizeof(std::uint32_t) * shingles;
  }
  /// The hashes themselves.
  [[nodiscard]] std::span<const std::uint32_t> in_order() const noexcept { return shingles_; }
  /// The first place of a shingle, or kNowhere. O(1) expected.
  [[nodiscard]] std::uint32_t first_of(std::uint32_t shingle) const {
    if (!may_hold(shingle)) return kNowhere;
    std::uint32_t place = heads_[shingle >> shift_];
    while (place != kEnd && shingles_[place] != shingle) place = links_[place] & kEnd;
    return place == kEnd ? kNowhere : place;
  }
  /// True if the shingle at a place occurs once.
  [[nodiscard]] bool is_single(std::uint32_t place) const noexcept { return (links_[place] & kAgain) == 0; }
  [[nodiscard]] bool contains(std::uint32_t shingle) const { return first_of(shingle) != kNowhere; }

 private:
  static constexpr std::uint32_t kAgain = std::uint32_t{1} << 31, kEnd = kAgain - 1;

  static constexpr std::uint64_t size_for(std::uint64_t shingles) noexcept {
    return std::bit_ceil(std::max<std::uint64_t>(shingles, 2));
  }

  // The bits that follow those by which the chain is found.
  [[nodiscard]] unsigned next_bits(std::uint32_t shingle) const noexcept {
    return shingle >> next_shift_ & 7;
  }
  [[nodiscard]] bool may_hold(std::uint32_t shingle) const {
    return !next_.empty() && (next_[shingle >> shift_] >> next_bits(shingle) & 1) != 0;
  }

  std::span<const std::uint32_t> shingles_;
  // For each chain the next_bits() of its shingles. It answers most queries about shingles that are nowhere.
  PodVector<std::uint8_t> next_;
  // Chains of the first places of shingles that begin with the same bits: where each chain begins, and what
  // follows each place. The link of every place whose shingle occurs several times has the bit kAgain.
  PodVector<std::uint32_t> heads_, links_;
  unsigned shift_ = 0, next_shift_ = 0;
};

inline ShinglePlaces::ShinglePlaces(std::span<const std::uint32_t> shingles) : shingles_(shingles) {
  const std::size_t size = size_for(shingles_.size());
  shift_ = 32 - static_cast<unsigned>(std::countr_zero(size));
  next_shift_ = std::max(shift_, 3U) - 3;
  heads_.resize(size, kEnd);
  next_.resize(size, 0);
  links_.resize_for_overwrite(shingles_.size());
  for (std::uint32_t i = 0; i < shingles_.size(); ++i) {
    std::uint32_t& head = heads_[shingles_[i] >> shift_];
    next_[shingles_[i] >> shift_] |= static_cast<std::uint8_t>(1U << next_bits(shingles_[i]));
    std::uint32_t same = head;
    while (same != kEnd && shingles_[same] != shingles_[i]) same = links_[same] & kEnd;
    if (same == kEnd) {
      links_[i] = head;
      head = i;
    } else {  // not in the chain, so texts that repeat themselves do not make long chains
      links_[same] |= kAgain;
      links_[i] = kAgain | kEnd;
    }
  }
}

}  // namespace leitong
