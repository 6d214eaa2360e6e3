// The fast paths of simhash() and p_simhash() where vectors are wide. Internal to src/signature; see
// text/units_kernel.hpp for the rules of such files.
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

/// A feature whose weight depends on whether its hash and the signature of its places agree in a bit.
struct BlendedFeature {
  std::uint64_t hash, differs;  // differs: the bits in which the two do not agree
  double agreed, opposed;       // the two weights
};

SumSigns blend_signs_avx512(const BlendedFeature* features, std::size_t count) noexcept;

}  // namespace leitong
