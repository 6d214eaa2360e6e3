// Which of many shingles belong to a set, and of how many families are they? Both say too much rather than
// too little.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pair.hpp"
#include "base/pod_vector.hpp"

namespace leitong {

/// A set of shingles that may hold others too: two bits of one word for each (Bloom 1970; Putze, Sanders,
/// Singler 2007, section 3), behind one bit of an array that the second-level cache holds, since most are not
/// in it. The first bits of a shingle say where it is: ranges of shingles lie apart.
class ShingleFilter {
 public:
  /// For `shingles` of them at 8 to 16 bits each, within `bytes`.
  ShingleFilter(std::uint64_t shingles, std::uint64_t bytes) {
    const std::uint64_t words = std::clamp<std::uint64_t>(
        std::bit_ceil(shingles / 8 + 1), 1024, std::bit_floor(std::max<std::uint64_t>(bytes, 8192) / 8));
    words_.resize(words, 0);
    shift_ = 32 - static_cast<unsigned>(std::bit_width(words - 1));
    coarse_.resize((std::size_t{1} << kCoarseBits) / 64, 0);
  }
  /// Threads may insert at the same time if their shingles differ in the first 6 bits.
  void insert(std::uint32_t shingle) noexcept {
    words_[place(shingle)] |= bits_of(shingle);
    coarse_[coarse_word(shingle)] |= coarse_bit(shingle);
  }
  /// Appends to `hits` those of `shingles` that the set holds. Not while anybody inserts.
  void select(std::span<const std::uint32_t> shingles, PodVector<std::uint32_t>& hits) const {
    const std::size_t begin = hits.size();
    hits.resize_for_overwrite(begin + shingles.size());
    std::uint32_t* const likely = hits.data() + begin;
    std::size_t n = 0;
    for (const std::uint32_t shingle : shingles) {
      likely[n] = shingle;
      n += (coarse_[coarse_word(shingle)] & coarse_bit(shingle)) != 0;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (i + kAhead < n) __builtin_prefetch(&words_[place(likely[i + kAhead])]);
      const std::uint32_t shingle = likely[i];
      const std::uint64_t bits = bits_of(shingle);
      likely[kept] = shingle;
      kept += (words_[place(shingle)] & bits) == bits;
    }
    hits.resize_for_overwrite(begin + kept);
  }

 private:
  static constexpr unsigned kCoarseBits = 22;
  static constexpr std::size_t kAhead = 16;  // what is looked at next is fetched meanwhile

  // By the last bits of a product, which depend on the last bits of the shingle and so say nothing of its
  // place.
  static std::uint64_t bits_of(std::uint32_t shingle) noexcept {
    const std::uint64_t mixed = shingle * 0x9E3779B97F4A7C15ULL;
    return 1ULL << (mixed & 63) | 1ULL << (mixed >> 6 & 63);
  }
  [[nodiscard]] std::size_t place(std::uint32_t shingle) const noexcept { return shingle >> shift_; }
  static std::size_t coarse_word(std::uint32_t shingle) noexcept { return shingle >> (32 - kCoarseBits + 6); }
  static std::uint64_t coarse_bit(std::uint32_t shingle) noexcept {
    return 1ULL << (shingle >> (32 - kCoarseBits) & 63);
  }

  PodVector<std::uint64_t> words_, coarse_;
  unsigned shift_;
};

/// Of how many families the shingles of one range are, at most: a place may be that of several shingles, and
/// a family that comes again after another one is counted again. Exact for a place of one shingle if families
/// come one after the other.
class FamilyCounts {
 public:
  /// The range: all shingles with the same first bits, of which `rest_bits` are left.
  explicit FamilyCounts(unsigned rest_bits) : rest_bits_(rest_bits) {}

  /// Begins anew, for about so many shingles. Of interest is what so many families hold, `least`, or `wanted`
  /// where somebody wants it.
  void clear(std::size_t shingles, std::uint32_t least, std::uint32_t wanted) {
    const std::size_t places = std::clamp(std::bit_ceil(2 * shingles), std::size_t{1024},
                                          std::min(std::size_t{1} << rest_bits_, kMostPlaces));
    shift_ = rest_bits_ - static_cast<unsigned>(std::bit_width(places - 1));
    least_ = least;
    least_wanted_ = wanted;
    last_.clear();
    last_.resize(places, kNoDocument);
    count_.clear();
    count_.resize(places, 0);
  }
  void add(std::uint32_t shingle, DocId family, bool wanted) noexcept {
    const std::size_t at = place(shingle);
    std::uint8_t count = count_[at];
    count = static_cast<std::uint8_t>(count + (last_[at] != family && (count & kMost) < kMost ? 1 : 0));
    count_[at] = static_cast<std::uint8_t>(count | (wanted ? kWanted : 0));
    last_[at] = family;
  }
  /// Never false for what is of interest.
  [[nodiscard]] bool may_be_of_interest(std::uint32_t shingle) const noexcept {
    const std::uint8_t count = count_[place(shingle)];
    return (count & kMost) >= ((count & kWanted) != 0 ? least_wanted_ : least_);
  }

 private:
  static constexpr std::size_t kMostPlaces = std::size_t{1} << 20;
  static constexpr std::uint8_t kWanted = 128, kMost = 127;
  [[nodiscard]] std::size_t place(std::uint32_t shingle) const noexcept {
    return (shingle & ((1U << rest_bits_) - 1)) >> shift_;
  }

  unsigned rest_bits_, shift_ = 0;
  std::uint32_t least_ = 0, least_wanted_ = 0;
  PodVector<DocId> last_;  // the family that was counted last
  PodVector<std::uint8_t> count_;
};

}  // namespace leitong
