// Ranks documents by how much text of other documents they cover.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/pair.hpp"
#include "cluster/pair_store.hpp"
#include "cluster/settle.hpp"
#include "leitong/dedup.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The rank of every document, a permutation. First is the document with the largest sum of `units` of the
/// documents that may leave for it by `limits`, its own copies included; among equals the longest one, then
/// the earliest one. A loss that is not stored with the pairs counts as too much. Documents below
/// `protected_count` never leave. Reads all pairs; 16 bytes a document, and O(d log d).
Result<std::vector<std::uint32_t>> covering_ranks(const PairStore& pairs, std::span<const Copy> copies,
                                                  std::span<const std::uint32_t> units, DocId protected_count,
                                                  const LossLimits& limits);

}  // namespace leitong
