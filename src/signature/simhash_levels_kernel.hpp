// The kernels of simhash_levels() and simhash_level_sums(). Internal to src/signature; see
// text/units_kernel.hpp for the rules of such files.
#pragma once

#include <cstddef>
#include <cstdint>

#include "signature/simhash_kernel.hpp"

namespace leitong {

/// ones[b] += the weights of the hashes whose bit b is 1. REQUIRES that no `run` consecutive weights add up
/// to more than 255, and all of them to no more than 65535.
using LevelsKernel = void (*)(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                              std::size_t run, std::uint32_t* ones) noexcept;

void levels_scalar(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                   std::size_t run, std::uint32_t* ones) noexcept;
void levels_avx2(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count, std::size_t run,
                 std::uint32_t* ones) noexcept;
void levels_avx512(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                   std::size_t run, std::uint32_t* ones) noexcept;

/// Weights below 16 of so many features add up to at most what 16 bits with a sign hold.
inline constexpr std::size_t kMostFewLevels = 2184;

struct LevelSigns {
  SumSigns signs;
  std::uint32_t all;  ///< the sum of the weights
};

/// The signs of the sums, computed at once, of at most kMostFewLevels features with weights below 2^width <=
/// 16.
using FewLevelsKernel = LevelSigns (*)(const std::uint64_t* hashes, const std::uint8_t* weights,
                                       std::size_t count, unsigned width) noexcept;

LevelSigns few_levels_scalar(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                             unsigned width) noexcept;
LevelSigns few_levels_avx2(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                           unsigned width) noexcept;
LevelSigns few_levels_avx512(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                             unsigned width) noexcept;

}  // namespace leitong
