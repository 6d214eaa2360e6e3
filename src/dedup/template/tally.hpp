// Finds which of the listed shingles so many families hold that they may be a template.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/kinship.hpp"
#include "dedup/template/shingle_lists.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// What is known before the tally.
struct TallyInput {
  ShingleLists& of_asked;   ///< shingles of the requested documents; each range is forgotten
  ShingleLists& of_others;  ///< shingles of the others that may be among them; likewise
  const Kinship& families;
  const std::vector<bool>& asked;  ///< for each document: is it requested?
  /// For each document: are all shingles needed that three families hold?.
  const std::vector<bool>& wants_common;
  bool has_sites;  ///< the documents of all families are told apart
  /// Shingles, ascending, that are listed however few families hold them.
  std::span<const std::uint32_t> base = {};
};

/// Puts the holders of the shingles that enough families and at least one requested document hold into
/// `holders`: partitioned by the first 8 bits of the shingle, each as ShingleHolders::append_to() writes it.
/// Takes O(entries) for each pass over a range. One pass suffices if the entries of a range for each thread,
/// 16 bytes each, fit into an eighth of the buffers.
Result<void> tally_holders(const TallyInput& input, RunContext& run, Partitions& holders);

}  // namespace leitong
