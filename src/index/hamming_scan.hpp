// The inner loop of Hamming search: which of many fingerprints lie within a distance of one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.hpp"

namespace leitong {

/// Writes the positions of all of `count` values within `distance` bits of `query`, ascending, to `hits`
/// (room for `count`), and returns their number. REQUIRES count < 2^32.
using HammingScan = std::size_t (*)(const std::uint64_t* values, std::size_t count, std::uint64_t query,
                                    unsigned distance, std::uint32_t* hits) noexcept;

/// The scan of one kernel family.
[[nodiscard]] HammingScan hamming_scan(Simd level) noexcept;

/// The kernels by name.
std::size_t hamming_scan_scalar(const std::uint64_t* values, std::size_t count, std::uint64_t query,
                                unsigned distance, std::uint32_t* hits) noexcept;
std::size_t hamming_scan_avx2(const std::uint64_t* values, std::size_t count, std::uint64_t query,
                              unsigned distance, std::uint32_t* hits) noexcept;

}  // namespace leitong
