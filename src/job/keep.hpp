// Decides which document of a cluster stays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/corpus.hpp"
#include "leitong/dedup.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Makes the input read the fields that the policy needs.
void ask_for(const KeepPolicy& policy, InputOptions& input);

struct KeepRanks {
  std::vector<std::uint32_t> rank;  ///< for every document, a permutation: 0 is the best
  std::uint64_t asked = 0;          ///< documents that were ranked by the policy
  /// Of these, the documents that come last because the field that decides first is missing or has no such
  /// value, or because they belong to none of the sources.
  std::uint64_t without_value = 0;
};

/// newest and oldest compare ISO 8601 dates or epoch numbers, max and min compare numbers. Reads the fields
/// of the documents that occur in a pair (`wanted`); the others rank after them, in input order. Fails with
/// invalid_argument if the corpus was opened without the policy's field (see ask_for()).
Result<KeepRanks> keep_ranks(const KeepPolicy& policy, const Corpus& corpus,
                             std::span<const std::uint32_t> units, const std::vector<bool>& wanted);

}  // namespace leitong
