// Finds the components of fingerprints under chains of near ones, without listing the pairs.
#pragma once

#include <cstdint>
#include <functional>

#include "index/hamming/join/join.hpp"

namespace leitong::hamming {

/// A row and the smallest row of its component.
struct ComponentRow {
  std::uint64_t row = 0;
  std::uint64_t component = 0;
};
using ComponentRowsFn = std::function<Result<void>(std::span<const ComponentRow>)>;

struct ComponentFigures {
  JoinFigures join;
  std::uint64_t components = 0;  ///< components of at least two rows
  std::uint64_t rows = 0;        ///< rows in them
};

/// Calls `each` for the rows that are within options.distance of another row, ascending. Rows have the same
/// number if and only if they are in one component. In a crowd, connected rows are not compared again, so
/// that a million fingerprints around one centre take about linear time. Memory beyond the join's: 4 bytes a
/// row. Fewer than 2^32 rows.
template <Fingerprint F>
Result<ComponentFigures> components(const Source<F>& source, JoinOptions options, const Context& context,
                                    const ComponentRowsFn& each);

}  // namespace leitong::hamming
