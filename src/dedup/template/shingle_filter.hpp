// A filter for shingles: it may report a shingle that the set does not hold, but never misses one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"

namespace leitong {

/// A set of shingles that may seem to hold others too: two bits of one word for each (Bloom 1970; Putze,
/// Sanders, Singler 2007, section 3), behind an array of one bit each that fits the second-level cache, since
/// most shingles that are looked up are not in the set. The first bits of a shingle decide its position, so
/// ranges of shingles lie apart.
class ShingleFilter {
 public:
  /// A filter for `shingles` shingles, of 8 to 16 bits each and at most `most` bytes.
  ShingleFilter(std::uint64_t shingles, std::uint64_t most) {
    const std::uint64_t words = bytes(shingles, most) / sizeof(std::uint64_t);
    words_.resize(words, 0);
    shift_ = 32 - static_cast<unsigned>(std::bit_width(words - 1));
    coarse_.resize((std::size_t{1} << kCoarseBits) / 64, 0);
  }
  /// The bytes that the filter takes, without the array in the cache.
  [[nodiscard]] static constexpr std::uint64_t bytes(std::uint64_t shingles, std::uint64_t most) noexcept {
    constexpr std::uint64_t kLeast = 1024, kMost = std::uint64_t{1} << 32;
    const std::uint64_t room = std::bit_floor(std::clamp(most / sizeof(std::uint64_t), kLeast, kMost));
    return sizeof(std::uint64_t) * std::clamp(std::bit_ceil(shingles / 8 + 1), kLeast, room);
  }
  /// Several threads may insert at the same time if their shingles differ in the first 6 bits.
  void insert(std::uint32_t shingle) noexcept {
    words_[place(shingle)] |= bits_of(shingle);
    coarse_[coarse_word(shingle)] |= coarse_bit(shingle);
  }
  /// Appends to `hits` those of `shingles` that the set holds. Must not run during an insertion.
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
  static constexpr std::size_t kAhead = 16;  // how far ahead the next shingles are fetched

  // Uses the last bits of a product, which depend on the last bits of the shingle and so are independent of
  // its position.
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

}  // namespace leitong
