// Pairs of originals -> pairs of documents: copies have the neighbours of what they are copies of.
#pragma once

#include <cstdint>
#include <span>

#include "cluster/pair_store.hpp"
#include "cluster/settle.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Of more copies than this the first stands for all: their pairs among each other would be
/// quadratic.
inline constexpr std::size_t kMaxExpanded = 64;

/// Adds to `expanded` every similar pair of documents: the given ones between originals, the same between
/// their copies, and the copies among each other (Measure::identical or copy); then sorts it. Groups of more
/// than kMaxExpanded copies are only paired with their first, and with the first that has the same signs.
/// Copies with other signs have losses that say so. `copies` by (original, copy).
Result<void> expand(const PairStore& pairs, std::span<const Copy> copies, PairStore& expanded);

}  // namespace leitong
