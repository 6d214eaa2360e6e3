// MinHash by K random permutations, all at once in vectors (Broder 1997).
#pragma once

#include <cstdint>
#include <span>

#include "base/cpu.hpp"

namespace leitong {

/// Writes values.size() values, a multiple of 16 and at most 256: value k is the smallest of h a_k + b_k
/// modulo 2^32 over the elements' mixed hashes h (Carter and Wegman's family, a_k odd). Elements may repeat.
/// Returns false for an empty set and leaves `values` unchanged. The share of equal values estimates
/// resemblance with variance J(1 - J)/K. O(n K): faster than minhash() below about 400 elements, slower
/// above; the two kinds of values cannot be compared.
bool minhash_permutations(std::span<const std::uint32_t> elements, std::span<std::uint32_t> values);
bool minhash_permutations(std::span<const std::uint32_t> elements, std::span<std::uint32_t> values,
                          Simd level);

}  // namespace leitong
