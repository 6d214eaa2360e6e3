// Of all that was listed: what do so many families hold that it may be a template?
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/kinship.hpp"
#include "dedup/template/shingle_lists.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// What is known before the tally.
struct TallyInput {
  const ShingleLists& of_asked;   ///< shingles of the documents that are asked for
  const ShingleLists& of_others;  ///< of the others those that may be among them
  const Kinship& families;
  const std::vector<bool>& asked;         ///< of each document
  const std::vector<bool>& wants_common;  ///< the same: is everything of interest that three families hold?
  bool has_sites;                         ///< documents of all families are to be told apart
};

/// Puts the holders of the shingles that enough families hold, and somebody who is asked for, into `holders`:
/// by the first 8 bits of the shingle, each as ShingleHolders::append_to() writes it. Time: O(entries) for
/// each time that a range is looked at, which is once if the entries of a range for each thread, 16 bytes
/// each, have room in an eighth of the buffers.
Result<void> tally_holders(const TallyInput& input, RunContext& run, Partitions& holders);

}  // namespace leitong
