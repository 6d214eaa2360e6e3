// All finders: each function makes one from the scheme, the parameters and a run. Each is defined in a file
// of its own.
#pragma once

#include "dedup/pair_finder.hpp"

namespace leitong {

/// Joins keys of the scheme "default" that few documents share (index/rarity_join.hpp).
MadeFinder make_rarity_finder(const Scheme&, const Params&, const FinderContext& context);
/// Counts for each pair the common keys of the scheme "overlap" (index/overlap_join.hpp).
MadeFinder make_overlap_finder(const Scheme&, const Params&, const FinderContext& context);
/// Compares sets of shingles by the rule. Fails with unsupported for the edit measure.
MadeFinder make_all_pairs_finder(const Scheme&, const Params&, const FinderContext& context);
/// Compares sets of shingles by the scheme's own measure and threshold.
MadeFinder make_shingle_finder(const Scheme&, const Params& params, const FinderContext& context);
/// Finds fingerprints of 64 or 128 bits within the parameter `distance`.
MadeFinder make_fingerprint_finder(const Scheme& scheme, const Params& params, const FinderContext& context);
/// Finds MinHash signatures that agree in a band.
MadeFinder make_band_finder(const Scheme&, const Params& params, const FinderContext& context);
/// Finds I-Match signatures that agree in a digest.
MadeFinder make_digest_finder(const Scheme&, const Params& params, const FinderContext& context);
/// Finds texts within the parameter `threshold` of edit similarity.
MadeFinder make_edit_finder(const Scheme&, const Params& params, const FinderContext& context);
/// Finds nothing, for methods whose only pairs are copies, which are found before any finder is asked.
MadeFinder make_no_finder(const Scheme&, const Params&, const FinderContext&);

}  // namespace leitong
