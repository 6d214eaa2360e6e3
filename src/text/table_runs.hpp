// The form in which generated tables of code points are stored. Internal to src/text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "text/fold.hpp"

namespace leitong {

/// Code point `first` + i has entry + i * step, up to the next run.
struct TableRun {
  std::uint32_t first;
  std::uint32_t entry;
  std::uint32_t step;
};

/// Half-open range of code points.
struct PointRange {
  std::uint32_t begin;
  std::uint32_t end;
};

/// One entry for each code point below kFoldLimit.
inline std::vector<std::uint32_t> expand_runs(std::span<const TableRun> runs) {
  std::vector<std::uint32_t> entries(kFoldLimit);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::uint32_t end = i + 1 < runs.size() ? runs[i + 1].first : kFoldLimit;
    for (std::uint32_t c = runs[i].first; c < end; ++c)
      entries[c] = runs[i].entry + (c - runs[i].first) * runs[i].step;
  }
  return entries;
}

}  // namespace leitong
