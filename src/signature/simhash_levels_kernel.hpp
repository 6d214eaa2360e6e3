// The kernels of simhash_level_sums(): the sums of the weights whose bit is 1, of one run of features.
// Internal to src/signature; see text/units_kernel.hpp for the rules of such files.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong {

/// ones[b] += the weights of the hashes whose bit b is 1. No `run` weights in a row add up to more than 255,
/// nor all of them to more than 65535.
using LevelsKernel = void (*)(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                              std::size_t run, std::uint32_t* ones) noexcept;

void levels_scalar(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                   std::size_t run, std::uint32_t* ones) noexcept;
void levels_avx2(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count, std::size_t run,
                 std::uint32_t* ones) noexcept;
void levels_avx512(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                   std::size_t run, std::uint32_t* ones) noexcept;

}  // namespace leitong
