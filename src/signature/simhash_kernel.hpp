// The fast path of simhash() where vectors are wide. Internal to src/signature; see text/units_kernel.hpp for
// the rules of such files.
#pragma once

#include <cstddef>
#include <cstdint>

#include "leitong/feature.hpp"

namespace leitong {

/// For each bit, whether the sum is above 0 and whether it is 0.
struct SumSigns {
  std::uint64_t positive, zero;
};

SumSigns sum_signs_avx512(const Feature* features, std::size_t count) noexcept;

}  // namespace leitong
