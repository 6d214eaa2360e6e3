// Verified pairs as a file: what `leitong pairs` writes and `leitong cluster` reads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/stop.hpp"
#include "leitong/result.hpp"
#include "base/pair.hpp"

namespace leitong {

/// One row. The file is TSV with a header line `id_a id_b measure score jaccard containment doc_a doc_b
/// units_a units_b` (tabs), sorted by (doc_a, doc_b). Ids are escaped as in
/// cluster/tsv.hpp; values have the fewest digits that read back to the same float.
struct PairRow {
  std::string id_a, id_b;
  VerifiedPair pair;
  std::uint32_t units_a = 0, units_b = 0;
};

[[nodiscard]] std::string_view pairs_header() noexcept;
void append_pair_row(const PairRow& row, std::string& out);
/// Calls `each` for every row; names file:line of a malformed one. `path` may be "-" or compressed.
Result<void> read_pairs(const std::string& path, const std::function<Result<void>(const PairRow&)>& each,
                        StopToken stop = {});

}  // namespace leitong
