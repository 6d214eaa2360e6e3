// All pairs of 64-bit fingerprints in memory within a Hamming distance: the short way to hamming/join.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "leitong/result.hpp"

namespace leitong {

/// Two positions in the joined sequence, a < b, and the number of bits in which their fingerprints differ.
struct HammingPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t distance = 0;

  friend bool operator==(const HammingPair&, const HammingPair&) = default;
};

/// Takes a batch of pairs; a failure ends the join and is returned from it.
using HammingPairsFn = std::function<Result<void>(std::span<const HammingPair>)>;

/// What a join did.
struct HammingJoinFigures {
  std::uint64_t compared = 0;  ///< pairs of fingerprints that were compared
  std::uint64_t splits = 0;    ///< over-full buckets that were split again
  std::uint64_t pairs = 0;     ///< pairs emitted
};

/// Emits every pair within `distance` bits (at most hamming::kMaxDistance) exactly once: where no fingerprint
/// repeats, ordered by (a, b), and else as hamming::Joined::for_each_pair() has it. Equal fingerprints are
/// pairs like others, so collapse groups of them first where they are large. On the threads of the caller's
/// arena. REQUIRES fewer than 2^32 fingerprints.
Result<HammingJoinFigures> hamming_join(std::span<const std::uint64_t> fingerprints, unsigned distance,
                                        const HammingPairsFn& emit);

}  // namespace leitong
