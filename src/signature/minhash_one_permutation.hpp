// MinHash by one permutation: every element is hashed once (Li, Owen, Zhang 2012), empty bins are filled by
// optimal densification (Shrivastava 2017).
#pragma once

#include <cstdint>
#include <span>

namespace leitong {

/// Writes values.size() values, at most 256: bin k keeps the smallest hash that falls into it; an empty bin
/// copies the value of the first full one in a fixed random sequence of bins of its own. Elements may repeat.
/// Returns false for an empty set and leaves `values` unchanged. O(n + K log K). Errors are larger than those
/// of minhash() where there are fewer than a few times K elements; the two kinds of values cannot be
/// compared.
bool minhash_one_permutation(std::span<const std::uint32_t> elements, std::span<std::uint32_t> values);

}  // namespace leitong
