// Decides whether the text that two texts share is spread over all of them or lies in one place.
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

/// Finds within a few nanoseconds whether a set holds a hash, by where the hashes of each prefix begin.
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

/// How much of a text must be shared, and where.
struct Spread {
  double stretches;    ///< the least share of its stretches
  std::size_t one_of;  ///< at least one shingle in so many of each stretch
};

/// Does so much of a text stand in the other one? `ordered`: the shingle hashes of the text in its order;
/// `other`: the shingle set of the other one. O(n), and less if the answer is no.
[[nodiscard]] bool is_shared(std::span<const std::uint32_t> ordered, const HashLookup& other,
                             const Spread& spread) noexcept;

/// At least 9 of 10 stretches hold shingles of the other text, each at least one in eight. This holds for an
/// edited copy, whatever its rate of edits, as long as it is similar at all. It does not hold for two pages
/// that share a site's header and footer, since the text between these belongs to only one of them.
inline constexpr Spread kThroughout{.stretches = .9, .one_of = 8};

}  // namespace leitong
