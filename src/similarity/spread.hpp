// Tells whether what two texts share is spread over all of them or lies in one place.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"

namespace leitong {

/// A text is divided into stretches of this many shingles.
inline constexpr std::size_t kStretch = 16;

/// Tells within a few nanoseconds whether a set holds a hash, by where the hashes of each prefix begin.
/// Assumes that hashes are evenly distributed; otherwise it is only slower. 2 to 4 bytes a hash in addition
/// to the set.
class HashLookup {
 public:
  HashLookup() = default;
  /// `set` is ascending, holds each hash once, is not copied and must not move.
  explicit HashLookup(std::span<const std::uint32_t> set);

  [[nodiscard]] bool contains(std::uint32_t hash) const noexcept {
    if (set_.size() < kAtOnce) return std::find(set_.begin(), set_.end(), hash) != set_.end();
    const std::uint32_t *begin = &begin_[hash >> shift_], first = begin[0], size = begin[1] - first;
    if (size > kAtOnce) [[unlikely]]
      return std::binary_search(set_.begin() + first, set_.begin() + first + size, hash);
    // Compares without a branch. The neighbours that are compared needlessly cannot be equal.
    const std::uint32_t* const at = set_.data() + std::min<std::size_t>(first, set_.size() - kAtOnce);
#if defined(__SSE2__)
    const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    return _mm_movemask_epi8(_mm_cmpeq_epi32(four, _mm_set1_epi32(static_cast<int>(hash)))) != 0;
#else
    bool found = false;
    for (std::size_t i = 0; i < kAtOnce; ++i) found |= at[i] == hash;
    return found;
#endif
  }

 private:
  static constexpr std::size_t kAtOnce = 4;
  std::span<const std::uint32_t> set_;
  PodVector<std::uint32_t> begin_;  // start of each prefix, and the end
  unsigned shift_ = 0;
};

/// True if at least 9 of 10 stretches of a text hold shingles of the other one, each at least one in eight.
/// This is true of an edited copy, whatever the rate of edits at which it is still similar. It is not true of
/// two pages that share the header and footer of a site, since the text between these belongs to one of them.
/// `ordered` are the shingle hashes of the text in its order; `other` is the shingle set of the other text.
/// O(n), less where the result is false.
[[nodiscard]] bool shared_throughout(std::span<const std::uint32_t> ordered,
                                     const HashLookup& other) noexcept;

}  // namespace leitong
