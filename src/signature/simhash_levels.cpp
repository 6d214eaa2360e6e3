#include "signature/simhash_levels.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "base/kernel_families.hpp"
#include "signature/simhash.hpp"
#include "signature/simhash_levels_kernel.hpp"

namespace leitong {
namespace {

/// Weights are added up in halves of a byte, so that a sum of bytes can hold many of them.
constexpr unsigned kHalf = 4;
constexpr std::size_t kChunk = 512;

struct Kernels {
  LevelsKernel any;
  FewLevelsKernel few;
};

Kernels kernels_of(Simd level) {
  LEITONG_RETURN_KERNEL(level, (Kernels{levels_scalar, few_levels_scalar}),
                        (Kernels{levels_avx2, few_levels_avx2}), (Kernels{levels_avx512, few_levels_avx512}));
}

/// The bits of the largest weight, or a few more than that.
unsigned width_of(std::span<const std::uint8_t> weights) {
  std::uint64_t any = 0;
  std::size_t i = 0;
  for (std::uint64_t eight = 0; i + sizeof eight <= weights.size(); i += sizeof eight) {
    std::memcpy(&eight, weights.data() + i, sizeof eight);
    any |= eight;
  }
  for (; i < weights.size(); ++i) any |= weights[i];
  any |= any >> 32;
  any |= any >> 16;
  any |= any >> 8;
  return static_cast<unsigned>(std::bit_width(any & 0xff));
}

struct Ones {
  std::array<std::uint32_t, 64> of_bit{};  // weights of the hashes whose bit is 1
  std::uint32_t all = 0;                   // weights of all
};

Ones count_ones(std::span<const std::uint64_t> hashes, std::span<const std::uint8_t> weights, Simd level) {
  assert(hashes.size() == weights.size() && hashes.size() < (1u << 23));
  const LevelsKernel kernel = kernels_of(level).any;
  Ones ones;
  for (std::size_t begin = 0; begin < weights.size(); begin += kChunk) {
    const auto part = weights.subspan(begin, std::min(kChunk, weights.size() - begin));
    unsigned greatest = 1, all = 0;
    for (const std::uint8_t weight : part) {
      greatest = std::max<unsigned>(greatest, weight);
      all += weight;
    }
    ones.all += all;
    if (greatest < 1u << kHalf) {
      kernel(&hashes[begin], part.data(), part.size(), UINT8_MAX / greatest, ones.of_bit.data());
      continue;
    }
    std::array<std::uint8_t, kChunk> half;
    std::array<std::uint32_t, 64> upper{};
    for (std::size_t i = 0; i < part.size(); ++i) half[i] = static_cast<std::uint8_t>(part[i] >> kHalf);
    kernel(&hashes[begin], half.data(), part.size(), UINT8_MAX / (greatest >> kHalf), upper.data());
    for (std::size_t i = 0; i < part.size(); ++i) half[i] = part[i] & ((1u << kHalf) - 1);
    kernel(&hashes[begin], half.data(), part.size(), UINT8_MAX / ((1u << kHalf) - 1), ones.of_bit.data());
    for (unsigned bit = 0; bit < 64; ++bit) ones.of_bit[bit] += upper[bit] << kHalf;
  }
  return ones;
}

/// Bit i is byte i, which is 0 or 1.
std::uint64_t gather_bits(const std::array<std::uint8_t, 64>& bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, &bytes[8 * i], sizeof eight);
    bits |= (eight * 0x0102040810204080ULL >> 56) << 8 * i;
  }
  return bits;
}

}  // namespace

void simhash_level_sums(std::span<const std::uint64_t> hashes, std::span<const std::uint8_t> weights,
                        LevelSums& sums, Simd level) noexcept {
  const Ones ones = count_ones(hashes, weights, level);
  for (std::size_t bit = 0; bit < 64; ++bit)
    sums[bit] = static_cast<std::int32_t>(2 * ones.of_bit[bit] - ones.all);
}

std::optional<std::uint64_t> simhash_levels(std::span<const std::uint64_t> hashes,
                                            std::span<const std::uint8_t> weights, Simd level) noexcept {
  if (const unsigned width = width_of(weights); width <= kHalf && weights.size() <= kMostFewLevels) {
    const LevelSigns few = kernels_of(level).few(hashes.data(), weights.data(), weights.size(), width);
    return few.all > 0 ? std::optional(break_ties(few.signs.positive, few.signs.zero)) : std::nullopt;
  }
  const Ones ones = count_ones(hashes, weights, level);
  if (ones.all == 0) return std::nullopt;
  std::array<std::uint8_t, 64> positive, tied;
  for (std::size_t bit = 0; bit < 64; ++bit) {
    positive[bit] = 2 * ones.of_bit[bit] > ones.all;
    tied[bit] = 2 * ones.of_bit[bit] == ones.all;
  }
  return break_ties(gather_bits(positive), gather_bits(tied));
}

std::optional<std::uint64_t> simhash_levels(std::span<const std::uint64_t> hashes,
                                            std::span<const std::uint8_t> weights) noexcept {
  return simhash_levels(hashes, weights, simd_level());
}

}  // namespace leitong
