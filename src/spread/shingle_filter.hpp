// A filter of the shingles that are asked about: a bitmap, of which each component range makes a part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spread/contents.hpp"
#include "spread/stages.hpp"

namespace leitong::spread {

/// The bits of the number of its bits, for texts of so many units in all: 128 KiB to 64 MiB.
[[nodiscard]] std::uint32_t filter_bits(std::uint64_t units) noexcept;
/// The bits that a filter has of the shingles of texts, ascending, each as its distance from the one before.
Result<std::vector<std::uint32_t>> filter_of(const PartRun& run, std::span<const TextNumber> texts,
                                             std::uint32_t bits, Contents& contents);
/// What the filters of all parts have; empty if they have nothing.
Result<std::vector<std::uint8_t>> read_filter(const Plan& plan, std::uint32_t bits);

}  // namespace leitong::spread
