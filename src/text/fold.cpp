#include "text/fold.hpp"

#include <iterator>
#include <vector>

#include "text/units.hpp"

namespace leitong {
namespace {

/// Code point `first` + i has entry + i * step, up to the next run.
struct FoldRun {
  std::uint32_t first;
  std::uint32_t entry;
  std::uint32_t step;
};

#include "fold_table.inc"

std::vector<std::uint32_t> expand() {
  std::vector<std::uint32_t> entries(kFoldLimit);
  for (std::size_t i = 0; i < std::size(kFoldRuns); ++i) {
    const FoldRun& run = kFoldRuns[i];
    const std::uint32_t end = i + 1 < std::size(kFoldRuns) ? kFoldRuns[i + 1].first : kFoldLimit;
    for (std::uint32_t c = run.first; c < end; ++c) entries[c] = run.entry + (c - run.first) * run.step;
  }
  return entries;
}

}  // namespace

const FoldTable& fold_table() {
  static const std::vector<std::uint32_t> entries = expand();
  static const FoldTable table{entries.data(), kFoldExpansions};
  return table;
}

std::uint64_t fold_table_id() noexcept { return kFoldTableId; }

}  // namespace leitong
