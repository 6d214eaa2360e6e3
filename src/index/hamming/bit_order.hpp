// Orders bits by how well they distinguish fingerprints.
#pragma once

#include <span>
#include <vector>

#include "index/hamming/fingerprint.hpp"

namespace leitong::hamming {

/// The bits that vary among some fingerprints (or a sample of them), the most evenly split ones first. Bits
/// that hardly vary make poor keys, and real fingerprints have some. Deterministic.
template <Fingerprint F>
class BitOrder {
 public:
  /// Uses at most 1024 values, evenly spread.
  explicit BitOrder(std::span<const F> values);

  /// The best `count` bits of `mask`; bits that do not vary come last. REQUIRES count <= count_ones(mask).
  [[nodiscard]] F best(F mask, unsigned count) const;
  /// Distributes the varying bits of `mask` over `count` sets of equal quality, best first; empty if there
  /// are fewer bits than sets. A set has at most `most` bits.
  [[nodiscard]] std::vector<F> deal(F mask, unsigned count, unsigned most) const;

 private:
  std::vector<unsigned> bits_;  // best first
  std::size_t varying_ = 0;     // number of varying bits
};

}  // namespace leitong::hamming
