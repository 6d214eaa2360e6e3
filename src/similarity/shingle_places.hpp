// Finds the place of a shingle in a text.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"

namespace leitong {

/// The places of the shingles of one text, by their hashes. The first query makes a table of 8 to 12 bytes a
/// shingle. For one thread.
class ShinglePlaces {
 public:
  static constexpr std::uint32_t kNowhere = UINT32_MAX;
  static constexpr std::uint32_t kSeveral = UINT32_MAX - 1;

  ShinglePlaces() = default;
  /// `shingles` are the hashes in the order of the text, which must not move.
  explicit ShinglePlaces(std::span<const std::uint32_t> shingles) : shingles_(shingles) {}

  /// The hashes themselves.
  [[nodiscard]] std::span<const std::uint32_t> in_order() const noexcept { return shingles_; }
  /// The place of a shingle that occurs once, or kSeveral, or kNowhere. O(1) expected if the hashes are
  /// evenly distributed.
  [[nodiscard]] std::uint32_t of(std::uint32_t shingle) {
    const std::uint32_t place = first_of(shingle);
    if (place == kNowhere) return kNowhere;
    std::uint32_t link = links_[place];
    while (link < kEnd && shingles_[link] != shingle) link = links_[link] & kEnd;
    return link == kEnd ? place : kSeveral;
  }
  [[nodiscard]] bool contains(std::uint32_t shingle) { return first_of(shingle) != kNowhere; }

 private:
  static constexpr std::uint32_t kAgain = std::uint32_t{1} << 31, kEnd = kAgain - 1;

  [[nodiscard]] std::uint32_t first_of(std::uint32_t shingle) {
    if (heads_.empty()) make_table();
    std::uint32_t place = heads_[shingle >> shift_];
    while (place != kEnd && shingles_[place] != shingle) place = links_[place] & kEnd;
    return place == kEnd ? kNowhere : place;
  }
  void make_table() {
    const auto size = std::bit_ceil(std::max<std::size_t>(shingles_.size(), 2));
    shift_ = 32 - static_cast<unsigned>(std::countr_zero(size));
    heads_.resize(size, kEnd);
    links_.resize_for_overwrite(shingles_.size());
    for (std::uint32_t i = 0; i < shingles_.size(); ++i) {
      std::uint32_t& head = heads_[shingles_[i] >> shift_];
      const std::uint32_t at = std::min(head, i);
      const bool again = head != kEnd && shingles_[at] == shingles_[i];
      // So texts that repeat themselves do not make long chains.
      links_[i] = again ? links_[at] | kAgain : head;
      head = i;
    }
  }

  std::span<const std::uint32_t> shingles_;
  // Chains of places whose shingles begin with the same bits: where each chain begins, and what follows each
  // place. A link also has the bit kAgain if its place replaces an earlier one of the same shingle.
  PodVector<std::uint32_t> heads_, links_;
  unsigned shift_ = 0;
};

}  // namespace leitong
