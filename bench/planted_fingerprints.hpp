// Fingerprints for benchmarks: uniform ones, of which every tenth is a near-duplicate of a recent one.
#pragma once

#include <cstdint>

#include "base/hash.hpp"

namespace leitong::bench {

/// The fingerprint of row `i`; row 9 of each ten has 1 to 3 bits of one of the other nine flipped. The same
/// on every machine.
constexpr std::uint64_t planted_fingerprint(std::uint64_t i) {
  if (i % 10 != 9) return mix64(i * 2 + 1);
  std::uint64_t random = mix64(i * 2 + 2);
  std::uint64_t value = mix64((i - 1 - random % 9) * 2 + 1);
  for (std::uint64_t flips = 1 + random / 9 % 3; flips > 0; --flips) {
    random = mix64(random);
    value ^= std::uint64_t{1} << random % 64;
  }
  return value;
}

}  // namespace leitong::bench
