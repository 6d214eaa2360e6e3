// A pass that brings together the fingerprints that agree in some bits: the first step of a table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/huge_array.hpp"
#include "base/stop.hpp"
#include "index/hamming/join/kernels.hpp"
#include "index/hamming/source.hpp"

namespace leitong::hamming {

/// The number of fingerprints with each digit, for each piece of the source that a thread processes.
struct DigitCounts {
  std::size_t pieces = 0;
  std::size_t digits = 0;
  std::vector<std::uint64_t> counts;  ///< of piece p and digit d at [p * digits + d]

  [[nodiscard]] std::uint64_t of_digit(std::size_t digit) const noexcept {
    std::uint64_t sum = 0;
    for (std::size_t piece = 0; piece < pieces; ++piece) sum += counts[piece * digits + digit];
    return sum;
  }
};

/// Counts the digits under each of several masks of at most 13 bits. Reads the source once.
template <Fingerprint F>
Result<std::vector<DigitCounts>> count_digits(const Source<F>& source, std::span<const F> masks,
                                              const Kernels& kernels, StopToken stop);

/// Moves the fingerprints whose digit is in [low, high) to `out`, ordered by digit and then by row;
/// afterwards digit d is [begins[d - low], begins[d - low + 1]). Reads the source once and writes whole cache
/// lines past the caches, so it costs about as much as copying. The result does not depend on the number of
/// threads. REQUIRES room in `out` for the counted fingerprints.
template <Fingerprint F>
Result<void> scatter(const Source<F>& source, F mask, std::size_t low, std::size_t high,
                     const DigitCounts& counts, const Kernels& kernels, StopToken stop, std::span<F> out,
                     std::vector<std::uint64_t>& begins);

}  // namespace leitong::hamming
