// Which buckets a search visits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/hamming/search/probe_kernel.hpp"

namespace leitong::hamming {

/// All differences of keys of so many bits, by weight up to `radius`; rising within a weight.
[[nodiscard]] std::vector<std::uint32_t> flips_of(unsigned key_bits, unsigned radius);

/// The table as one whose finds are its own.
template <Fingerprint F>
[[nodiscard]] Exclusion exclusion_of(const TableShape<F>& shape) noexcept;

/// Lowers the radii of tables that find everything within the distance they were made for, so that they still
/// find everything within `distance`; a table that isn't needed gets -1.
///
/// Tables that share no bit of their keys miss a pair only if it has more errors than its radius in every one
/// of them, that is radius + 1 in each. So the sum of radius + 1 has to exceed `distance`, no more.
void lower_radii(std::span<Exclusion> tables, unsigned distance) noexcept;

}  // namespace leitong::hamming
