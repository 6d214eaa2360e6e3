// Code points, units or words -> a 64-bit hash of each n in a row, at the speed of memory: the shingles of
// the literature with no string made. (feature/ngrams.hpp counts runs by a named hash of their bytes instead,
// for signatures that have to be those of other tools.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"

namespace leitong {

/// What hashes of n-grams depend on. Whoever stores hashes stores both: others don't compare with them.
struct NgramParams {
  std::size_t n = 5;                         ///< elements in a row, 1 to 1000
  std::uint64_t seed = 0x6C656974'6F6E6721;  ///< any number
};

/// A hash of each n consecutive elements, in order, replacing what was there: count - n + 1 of them. Fewer
/// than n elements have one hash, their own, which no n-gram has but by chance; none have none.
///
/// The polynomial sum of e(x_i) B^(n-1-i) mod 2^64 with e(x) a mixed x, which rolls by one product an element
/// (Karp and Rabin 1987), mixed again so that every bit of the result can be relied on; where vectors
/// multiply 64 bits the sums are doubled instead, which gives the same numbers. O(count), or O(count log n).
/// T: char32_t, Unit (text/units.hpp), or 64-bit ids or hashes of words. `level` names a kernel family.
template <class T>
void rolling_ngrams(std::span<const T> elements, const NgramParams& params, PodVector<std::uint64_t>& hashes,
                    Simd level = simd_level());

}  // namespace leitong
