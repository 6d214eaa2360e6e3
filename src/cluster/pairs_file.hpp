// Files of verified pairs, which `leitong pairs` writes and `leitong cluster` reads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/loss.hpp"
#include "base/pair.hpp"
#include "base/stop.hpp"
#include "leitong/folding.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// One row. The file is TSV with a header line `id_a id_b measure score jaccard containment doc_a doc_b
/// units_a units_b` (tabs), sorted by (doc_a, doc_b). Ids are escaped as in io/tsv.hpp; values have the
/// fewest digits that read back to the same float.
///
/// If templates are left out of the comparison, four columns follow (version 2): `own_jaccard own_containment
/// template_share reason`, the measures of the two texts without their templates (those of the whole texts if
/// these hold none), the share of template in what the two share, and the decision in words.
///
/// With losses, 18 columns follow: `loss_a loss_b`, for each text `own lost reworded lost_long longest
/// numbers` (the units of Loss), `renamed_a`, `renamed_b`, `other_signs` and `relation`
/// (similarity/relation.hpp).
struct PairRow {
  std::string id_a, id_b;
  VerifiedPair pair;
  std::uint32_t units_a = 0, units_b = 0;
  std::optional<std::string> reason = std::nullopt;  ///< of a row that was read with own text
  PairLosses losses = {};                            ///< both losses or none
};

/// What the rows of a file of pairs hold beside the pairs.
struct PairsVersion {
  bool own_text = false;
  bool losses = false;
  NumberUnits numbers = NumberUnits::same;  ///< how numbers counted, for the words of a decision
};

[[nodiscard]] std::string pairs_header(PairsVersion version);
void append_pair_row(const PairRow& row, PairsVersion version, std::string& out);
/// Calls `each` for every row of either version; an error names file:line of a malformed one. `path` may be
/// "-" or compressed.
Result<void> read_pairs(const std::string& path, const std::function<Result<void>(const PairRow&)>& each,
                        StopToken stop = {});

}  // namespace leitong
