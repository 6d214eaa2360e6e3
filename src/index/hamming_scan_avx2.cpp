#include <immintrin.h>

#include "index/hamming_scan.hpp"

namespace leitong {

// Bound by the population count unit, one value a cycle; AVX2 itself has nothing better.
std::size_t hamming_scan_avx2(const std::uint64_t* values, std::size_t count, std::uint64_t query,
                              unsigned distance, std::uint32_t* hits) noexcept {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    hits[found] = static_cast<std::uint32_t>(i);
    found += static_cast<unsigned>(_mm_popcnt_u64(values[i] ^ query)) <= distance ? 1 : 0;
  }
  return found;
}

}  // namespace leitong
