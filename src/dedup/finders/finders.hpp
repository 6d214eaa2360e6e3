// Every finder: what makes it of a scheme, the parameters and a run. Each is defined in a file of its own.
#pragma once

#include "dedup/pair_finder.hpp"

namespace leitong {

/// Keys of the scheme "default" that few documents share: index/rarity_join.hpp.
MadeFinder make_rarity_finder(const Scheme&, const Params&, const FinderContext& context);
/// Keys of the scheme "overlap", counted for each pair: index/overlap_join.hpp.
MadeFinder make_overlap_finder(const Scheme&, const Params&, const FinderContext& context);
/// Sets of shingles, by the rule. Fails with unsupported for the edit measure.
MadeFinder make_all_pairs_finder(const Scheme&, const Params&, const FinderContext& context);
/// Sets of shingles, by the scheme's own measure and threshold.
MadeFinder make_shingle_finder(const Scheme&, const Params& params, const FinderContext& context);
/// Fingerprints of 64 or 128 bits within the parameter `distance`.
MadeFinder make_fingerprint_finder(const Scheme& scheme, const Params& params, const FinderContext& context);
/// MinHash signatures that agree in a band.
MadeFinder make_band_finder(const Scheme&, const Params& params, const FinderContext& context);
/// I-Match signatures of which one digest agrees.
MadeFinder make_digest_finder(const Scheme&, const Params& params, const FinderContext& context);
/// Texts within the parameter `threshold` of edit similarity.
MadeFinder make_edit_finder(const Scheme&, const Params& params, const FinderContext& context);
/// Nothing: copies, which are set aside before any finder is asked, are all there is to find.
MadeFinder make_no_finder(const Scheme&, const Params&, const FinderContext&);

}  // namespace leitong
