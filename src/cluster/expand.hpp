// Turns pairs of originals into pairs of documents, in which a copy has the neighbours of its original.
#pragma once

#include <cstdint>
#include <span>

#include "cluster/pair_store.hpp"
#include "cluster/settle.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// If there are more copies, the first one stands for all, because the pairs among them would be quadratic.
inline constexpr std::size_t kMaxExpanded = 64;

/// Adds every similar pair of documents to `expanded`: the given ones between originals, the same between
/// their copies, and the copies with each other (Measure::identical or copy); then sorts it. In a group of
/// more than kMaxExpanded copies, each is paired only with the first, and with the first one of the same
/// signs. The losses of copies tell whether their signs differ. `copies` by (original, copy). `apart`: copies
/// are not paired with each other, nor with their original.
Result<void> expand(const PairStore& pairs, std::span<const Copy> copies, PairStore& expanded,
                    bool apart = false);

}  // namespace leitong
