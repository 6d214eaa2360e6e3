// Candidate pairs from MinHash signatures: documents that agree in all values of some band.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "base/stop.hpp"
#include "leitong/result.hpp"
#include "signature/minhash.hpp"

namespace leitong {

/// Signatures of equal length, one after the other, with what decides which of them leads where not all can
/// be paired.
struct SignatureTable {
  std::span<const MinhashValue> values;  ///< rows * values_per_row
  std::size_t values_per_row = 0;
  std::span<const std::uint64_t> preference;  ///< one a row; the smallest leads
};

struct BandJoinOptions {
  Banding banding;                 ///< REQUIRES at most 64 bands
  std::size_t largest_group = 64;  ///< rows that agree in a band are all paired up to this number
  StopToken stop = {};
};

/// Two rows, a < b.
struct RowPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  friend auto operator<=>(const RowPair&, const RowPair&) = default;
};

/// Takes a batch of pairs; a failure ends the join and is returned from it.
using RowPairsFn = std::function<Result<void>(std::span<const RowPair>)>;

/// What a join did, and what it left out.
struct BandJoinFigures {
  std::uint64_t pairs = 0;         ///< emitted
  std::uint64_t large_groups = 0;  ///< groups above the cap, over all bands
  std::uint64_t starred_rows = 0;  ///< rows that were in such a group at least once
};

/// Emits the pairs of rows that agree in at least one band (Gionis, Indyk, Motwani 1999; Leskovec, Rajaraman,
/// Ullman, section 3.4). Rows of a group above the cap are paired with the group's two leaders only, which
/// keeps a family of n copies at 2n pairs a band; which rows lead goes by `preference`, so it is the same for
/// any order of rows, and mostly the same in all bands. A pair comes once, save that a pair with a leader may
/// come again from another band. O(bands * rows + pairs); memory 40 bytes a row.
Result<BandJoinFigures> band_join(const SignatureTable& table, const BandJoinOptions& options,
                                  const RowPairsFn& emit);

}  // namespace leitong
