// All pairs of fingerprints within a Hamming distance, exactly.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/cpu.hpp"
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

/// Emits every pair within `distance` bits exactly once, in an order that depends on the sequence alone.
///
/// Pigeonhole (Manku, Jain, Das Sarma 2007, section 3): cut into distance + 1 blocks, two fingerprints that
/// differ in no more bits than `distance` agree in some block. One table per block groups by it; a pair is
/// kept only in the first table that can find it, so that nothing has to be made distinct. Real fingerprints
/// crowd in some buckets: an over-full one is split again in the same way on its remaining bits, which loses
/// nothing, if that at least halves the comparisons.
///
/// Made for small distances (3 of 64: four tables of 16 bits); exact for any. Equal fingerprints are pairs
/// like others, so collapse groups of them first where they are large. Memory 32 bytes a fingerprint.
/// REQUIRES fewer than 2^32 fingerprints.
Result<HammingJoinFigures> hamming_join(std::span<const std::uint64_t> fingerprints, unsigned distance,
                                        const HammingPairsFn& emit);
Result<HammingJoinFigures> hamming_join(std::span<const std::uint64_t> fingerprints, unsigned distance,
                                        const HammingPairsFn& emit, Simd level);

}  // namespace leitong
