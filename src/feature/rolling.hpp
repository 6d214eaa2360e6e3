// Hashes each n consecutive code points, units or words to 64 bits at a speed that memory bounds: the
// shingles of the literature, without making strings. (feature/ngrams.hpp instead counts runs by a named hash
// of their bytes, for signatures that must equal those of other tools.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"

namespace leitong {

/// The parameters on which hashes of n-grams depend. Hashes with different parameters cannot be compared, so
/// both parameters must be stored with the hashes.
struct NgramParams {
  std::size_t n = 5;                         ///< consecutive elements, 1 to 1000
  std::uint64_t seed = 0x6C656974'6F6E6721;  ///< any number
};

/// Replaces the output by a hash of each n consecutive elements, in order: count - n + 1 of them. Fewer than
/// n elements have one hash of their own, which an n-gram has only by chance; no elements have no hash.
///
/// The hash is the polynomial sum of e(x_i) B^(n-1-i) mod 2^64 with e(x) a mixed x, which takes one product
/// an element (Karp and Rabin 1987), mixed again so that all bits of the result are usable. If vectors
/// multiply 64 bits, the sums are computed by doubling, with the same result. O(count), or O(count log n). T
/// is char32_t, Unit (text/units.hpp), or 64 bits for ids or hashes of words. `level` names a kernel family.
template <class T>
void rolling_ngrams(std::span<const T> elements, const NgramParams& params, PodVector<std::uint64_t>& hashes,
                    Simd level = simd_level());

}  // namespace leitong
