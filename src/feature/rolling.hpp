// Code points or words -> a 64-bit hash of each n in a row, at the speed of memory: the shingles of the
// literature with no string made. (feature/ngrams.hpp counts runs by a named hash of their bytes instead, for
// signatures that have to be those of other tools.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"
#include "text/segmenter.hpp"

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
void rolling_ngrams(std::span<const char32_t> points, const NgramParams& params,
                    PodVector<std::uint64_t>& hashes);
void rolling_ngrams(std::span<const std::uint64_t> words, const NgramParams& params,
                    PodVector<std::uint64_t>& hashes);

/// The same by one named kernel family; for tests and benchmarks.
void rolling_ngrams(std::span<const char32_t> points, const NgramParams& params,
                    PodVector<std::uint64_t>& hashes, Simd level);
void rolling_ngrams(std::span<const std::uint64_t> words, const NgramParams& params,
                    PodVector<std::uint64_t>& hashes, Simd level);

/// A hash of each word of a text, in order, replacing what was there (text/words.hpp says what a word is).
/// Runs of Chinese are cut by `chinese`, or if that is null into characters. REQUIRES: valid UTF-8,
/// normalised if spellings shall not count.
void word_hashes(std::string_view utf8, const Segmenter* chinese, std::uint64_t seed,
                 PodVector<std::uint64_t>& hashes);

}  // namespace leitong
