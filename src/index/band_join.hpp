// Candidate pairs from MinHash signatures: documents that agree in all values of at least one band.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "base/stop.hpp"
#include "leitong/result.hpp"
#include "signature/minhash.hpp"

namespace leitong {

/// Signatures of equal length, one after the other, and the preference of each row as a leader of a group
/// that is too large.
struct SignatureTable {
  std::span<const MinhashValue> values;  ///< rows * values_per_row
  std::size_t values_per_row = 0;
  std::span<const std::uint64_t> preference;  ///< one for each row; the smallest ones lead
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

/// Takes a batch of pairs. A failure ends the join and is returned.
using RowPairsFn = std::function<Result<void>(std::span<const RowPair>)>;

/// The figures of a join, with what it left out.
struct BandJoinFigures {
  std::uint64_t pairs = 0;         ///< pairs that were passed on
  std::uint64_t large_groups = 0;  ///< groups above the limit, in all bands
  std::uint64_t starred_rows = 0;  ///< rows in at least one such group
};

/// Passes on the pairs of rows that agree in at least one band (Gionis, Indyk, Motwani 1999; Leskovec,
/// Rajaraman, Ullman, section 3.4). Rows of a group above the limit are paired only with the group's two
/// leaders, so that a family of n copies makes 2n pairs a band. `preference` decides which rows lead, so the
/// leaders are the same for any order of rows, and mostly the same in all bands. Each pair is passed on once,
/// except that a pair with a leader may come again from another band. O(bands * rows + pairs); memory 40
/// bytes a row.
Result<BandJoinFigures> band_join(const SignatureTable& table, const BandJoinOptions& options,
                                  const RowPairsFn& emit);

}  // namespace leitong
