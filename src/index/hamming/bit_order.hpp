// Which bits tell fingerprints apart best?
#pragma once

#include <span>
#include <vector>

#include "index/hamming/fingerprint.hpp"

namespace leitong::hamming {

/// The bits that vary among (a sample of) some fingerprints, those first that split them most evenly. Bits
/// that hardly vary make poor keys: real fingerprints have some. Deterministic.
template <Fingerprint F>
class BitOrder {
 public:
  /// Looks at 1024 values at most, evenly spread.
  explicit BitOrder(std::span<const F> values);

  /// The best `count` bits of `mask`; bits that don't vary come last. REQUIRES count <= count_ones(mask).
  [[nodiscard]] F best(F mask, unsigned count) const;
  /// Deals the bits of `mask` that vary to `count` sets of equal quality, best first; empty if there are
  /// fewer of them than sets. A set has at most `most` bits.
  [[nodiscard]] std::vector<F> deal(F mask, unsigned count, unsigned most) const;

 private:
  std::vector<unsigned> bits_;  // best first
  std::size_t varying_ = 0;     // how many of them vary
};

}  // namespace leitong::hamming
