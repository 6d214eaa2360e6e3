// The kernels of intersection_size(). Internal to src/similarity; text/units_kernel.hpp states the rules for
// such files.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong {

using IntersectKernel = std::size_t (*)(const std::uint32_t* a, std::size_t na, const std::uint32_t* b,
                                        std::size_t nb) noexcept;

std::size_t intersect_scalar(const std::uint32_t* a, std::size_t na, const std::uint32_t* b,
                             std::size_t nb) noexcept;
std::size_t intersect_avx2(const std::uint32_t* a, std::size_t na, const std::uint32_t* b,
                           std::size_t nb) noexcept;

}  // namespace leitong
