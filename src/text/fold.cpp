#include "text/fold.hpp"

#include <vector>

#include "text/table_runs.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

#include "fold_table.inc"

}  // namespace

const FoldTable& fold_table(Marks marks) {
  if (marks == Marks::keep) {
    static const std::vector<std::uint32_t> entries = expand_runs(kKeepRuns);
    static const FoldTable table{entries.data(), kKeepExpansions, kKeepLookAlikes};
    return table;
  }
  static const std::vector<std::uint32_t> entries = expand_runs(kFoldRuns);
  static const FoldTable table{entries.data(), kFoldExpansions, kFoldLookAlikes};
  return table;
}

std::uint64_t fold_table_id(Marks marks) noexcept {
  return marks == Marks::keep ? kKeepTableId : kFoldTableId;
}

}  // namespace leitong
