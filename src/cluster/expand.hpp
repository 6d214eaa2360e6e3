// Pairs of originals -> pairs of documents: copies have the neighbours of what they are copies of.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "cluster/settle.hpp"
#include "leitong/result.hpp"
#include "similarity/pair.hpp"

namespace leitong {

/// Of more identical documents than this the first stands for all: their pairs among each other would be
/// quadratic.
inline constexpr std::size_t kMaxExpanded = 64;

/// Calls `each` for every similar pair in order of (a, b): the given pairs between originals, the same
/// between their copies, and the copies among each other (Measure::identical). Groups of more than
/// kMaxExpanded identical documents are only paired with their first. `pairs` by (a, b), `copies` by
/// (original, copy). Memory: 12 bytes a document and 8 a pair.
Result<void> for_each_pair(std::uint64_t documents, std::span<const VerifiedPair> pairs,
                           std::span<const Copy> copies,
                           const std::function<Result<void>(const VerifiedPair&)>& each);

}  // namespace leitong
