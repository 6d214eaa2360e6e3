// One method on files with truth: what it finds, named by id, and what that costs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus.hpp"
#include "dedup/find_pairs.hpp"
#include "leitong/evaluate.hpp"
#include "leitong/result.hpp"

namespace leitong {

struct AssessOptions {
  InputOptions input;
  FindOptions find;
};

/// What a method found. Documents by number, in input order.
struct Assessed {
  std::vector<std::string> ids;
  std::vector<std::uint64_t> bytes;     ///< of each text
  std::vector<DocId> kept;              ///< itself if it stays
  std::vector<VerifiedPair> pairs;      ///< those of exact copies written out
  std::uint64_t candidates = 0;         ///< pairs that were verified, or that an unverified method offered
  std::uint64_t without_signature = 0;  ///< see PairResult
  double seconds = 0;                   ///< from opening the input to the clusters
};

/// Runs the method and reads the ids afterwards, which doesn't count as its time. The corpus stays open, for
/// whoever wants to see texts.
Result<std::pair<Assessed, std::unique_ptr<Corpus>>> assess(const AssessOptions& options,
                                                            const Context& context);

}  // namespace leitong
