#include "signature/simhash_levels.hpp"

#include <algorithm>
#include <cassert>

#include "signature/simhash.hpp"
#include "signature/simhash_levels_kernel.hpp"

namespace leitong {
namespace {

// Eight sums of 16 bits are spread over two words, so that one addition serves four bits; what a byte of a
// hash selects is looked up.
struct Lanes {
  std::uint64_t low = 0, high = 0;
};
using LaneTable = std::array<Lanes, 256>;
constexpr LaneTable make_lanes() {
  LaneTable table{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned bit = 0; bit < 8; ++bit)
      if (byte >> bit & 1)
        (bit < 4 ? table[byte].low : table[byte].high) |= std::uint64_t{1} << 16 * (bit % 4);
  return table;
}
constexpr LaneTable kLanes = make_lanes();
constexpr std::size_t kBeforeOverflow = 0xffff / 0xff;

LevelsKernel kernel_of(Simd level) {
#if defined(__x86_64__)
  if (level == Simd::avx512) return levels_avx512;
  if (level == Simd::avx2) return levels_avx2;
#endif
  static_cast<void>(level);
  return levels_scalar;
}

}  // namespace

void levels_scalar(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                   std::uint32_t* ones) noexcept {
  while (count > 0) {
    const std::size_t run = std::min(count, kBeforeOverflow);
    std::array<Lanes, 8> sums{};
    for (std::size_t i = 0; i < run; ++i)
      for (unsigned byte = 0; byte < 8; ++byte) {
        const Lanes& lanes = kLanes[hashes[i] >> 8 * byte & 0xff];
        sums[byte].low += lanes.low * weights[i];
        sums[byte].high += lanes.high * weights[i];
      }
    for (unsigned bit = 0; bit < 64; ++bit) {
      const Lanes& lanes = sums[bit / 8];
      ones[bit] += static_cast<std::uint16_t>((bit % 8 < 4 ? lanes.low : lanes.high) >> 16 * (bit % 4));
    }
    hashes += run;
    weights += run;
    count -= run;
  }
}

void simhash_level_sums(std::span<const std::uint64_t> hashes, std::span<const std::uint8_t> weights,
                        LevelSums& sums, Simd level) noexcept {
  assert(hashes.size() == weights.size() && hashes.size() < (1u << 23));
  std::array<std::uint32_t, 64> ones{};
  kernel_of(level)(hashes.data(), weights.data(), hashes.size(), ones.data());
  std::uint32_t all = 0;
  for (const std::uint8_t weight : weights) all += weight;
  for (std::size_t bit = 0; bit < 64; ++bit) sums[bit] = static_cast<std::int32_t>(2 * ones[bit] - all);
}

std::optional<std::uint64_t> simhash_levels(std::span<const std::uint64_t> hashes,
                                            std::span<const std::uint8_t> weights, Simd level) noexcept {
  if (std::find_if(weights.begin(), weights.end(), [](std::uint8_t w) { return w > 0; }) == weights.end())
    return std::nullopt;
  LevelSums sums;
  simhash_level_sums(hashes, weights, sums, level);
  std::array<double, kSimhashBits> exact;
  std::copy(sums.begin(), sums.end(), exact.begin());
  return simhash_signs(exact);
}

std::optional<std::uint64_t> simhash_levels(std::span<const std::uint64_t> hashes,
                                            std::span<const std::uint8_t> weights) noexcept {
  return simhash_levels(hashes, weights, simd_level());
}

}  // namespace leitong
