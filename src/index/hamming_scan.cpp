#include "index/hamming_scan.hpp"

namespace leitong {
namespace {

/// Without a population count instruction, which the baseline lacks: sums of neighbouring bits, then pairs,
/// then nibbles.
unsigned count_ones(std::uint64_t x) noexcept {
  x -= x >> 1 & 0x5555555555555555ULL;
  x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
  return static_cast<unsigned>(x * 0x0101010101010101ULL >> 56);
}

}  // namespace

std::size_t hamming_scan_scalar(const std::uint64_t* values, std::size_t count, std::uint64_t query,
                                unsigned distance, std::uint32_t* hits) noexcept {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // Hits are rare and irregular: storing always and advancing seldom is quicker than a branch.
    hits[found] = static_cast<std::uint32_t>(i);
    found += count_ones(values[i] ^ query) <= distance ? 1 : 0;
  }
  return found;
}

HammingScan hamming_scan([[maybe_unused]] Simd level) noexcept {
#if defined(__x86_64__)
  if (level != Simd::scalar) return hamming_scan_avx2;
#endif
  return hamming_scan_scalar;
}

}  // namespace leitong
