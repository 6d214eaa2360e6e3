// Determines which buckets a search visits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/hamming/search/probe_kernel.hpp"

namespace leitong::hamming {

/// All differences of keys of so many bits, with 0 to `radius` ones, by number of ones and then ascending.
[[nodiscard]] std::vector<std::uint32_t> flips_of(unsigned key_bits, unsigned radius);

/// The exclusion of what this table finds.
template <Fingerprint F>
[[nodiscard]] Exclusion exclusion_of(const TableShape<F>& shape) noexcept;

/// Lowers the radii of tables that find everything within the distance for which they were made, so that they
/// still find everything within `distance`; a table that is not needed gets -1.
///
/// Tables that share no key bits miss a pair only if it has more errors than the radius in every one of them,
/// that is at least radius + 1 in each. So no pair is missed if the sum of radius + 1 exceeds `distance`.
void lower_radii(std::span<Exclusion> tables, unsigned distance) noexcept;

}  // namespace leitong::hamming
