// Where in a text does a shingle stand?
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"

namespace leitong {

/// The places of the shingles of one text, by their hashes. The first questions are answered by looking
/// through the text, which is quicker than a table while they are few; then a table is made, of 16 to 32
/// bytes a shingle. Of one thread.
class ShinglePlaces {
 public:
  static constexpr std::uint32_t kNowhere = UINT32_MAX;
  static constexpr std::uint32_t kSeveral = UINT32_MAX - 1;

  ShinglePlaces() = default;
  /// `shingles`: the hashes as they follow in the text, which must stay where they are.
  explicit ShinglePlaces(std::span<const std::uint32_t> shingles) : shingles_(shingles) {}

  /// The hashes themselves.
  [[nodiscard]] std::span<const std::uint32_t> in_order() const noexcept { return shingles_; }
  /// The place of a shingle that stands there once, kSeveral, or kNowhere. O(1) expected in the long run,
  /// where hashes are spread evenly.
  [[nodiscard]] std::uint32_t of(std::uint32_t shingle) {
    if (entries_.empty()) {
      if (++looks_ <= kLooks) return look_for(shingle);
      make_table();
    }
    return entries_[slot(shingle)].place;
  }
  [[nodiscard]] bool contains(std::uint32_t shingle) { return of(shingle) != kNowhere; }

 private:
  static constexpr unsigned kLooks = 16;
  struct Entry {
    std::uint32_t shingle, place;
  };

  [[nodiscard]] std::uint32_t look_for(std::uint32_t shingle) const noexcept {
    // Without a way out, so that many are compared at once.
    std::uint32_t times = 0, place = 0;
    for (std::uint32_t i = 0; i < shingles_.size(); ++i) {
      const bool here = shingles_[i] == shingle;
      times += here;
      place |= here ? i : 0;
    }
    return times == 0 ? kNowhere : times == 1 ? place : kSeveral;
  }
  void make_table() {
    const auto size = std::bit_ceil(2 * std::max<std::size_t>(shingles_.size(), 1) + 1);
    shift_ = 32 - static_cast<unsigned>(std::countr_zero(size));
    entries_.resize(size, {0, kNowhere});
    for (std::uint32_t i = 0; i < shingles_.size(); ++i) {
      Entry& entry = entries_[slot(shingles_[i])];
      entry = {shingles_[i], entry.place == kNowhere ? i : kSeveral};
    }
  }
  // Where it is, or would be.
  [[nodiscard]] std::size_t slot(std::uint32_t shingle) const noexcept {
    std::size_t at = static_cast<std::uint64_t>(shingle) >> shift_;
    while (entries_[at].place != kNowhere && entries_[at].shingle != shingle)
      at = (at + 1) & (entries_.size() - 1);
    return at;
  }

  std::span<const std::uint32_t> shingles_;
  PodVector<Entry> entries_;  // open addressing; empty while nobody has asked often
  unsigned shift_ = 0, looks_ = 0;
};

}  // namespace leitong
