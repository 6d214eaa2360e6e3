// Runs one method on files with truth: what it finds, with ids, and what that costs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus.hpp"
#include "dedup/find_options.hpp"
#include "dedup/pair_result.hpp"
#include "leitong/evaluate.hpp"
#include "leitong/result.hpp"

namespace leitong {

struct AssessOptions {
  InputOptions input;
  FindOptions find;
};

/// What a method found. Documents are numbered in input order.
struct Assessed {
  std::vector<std::string> ids;
  std::vector<std::uint64_t> bytes;  ///< size of each text
  std::vector<DocId> kept;           ///< the document itself if it stays
  std::vector<VerifiedPair> pairs;   ///< including the pairs of exact copies
  /// Pairs that were verified, or that a method without verification offered.
  std::uint64_t candidates = 0;
  std::uint64_t without_signature = 0;  ///< see PairResult
  double seconds = 0;                   ///< time from opening the input to the clusters
};

/// Runs the method and then reads the ids, which does not count as its time. The corpus stays open, so that
/// callers can read texts.
Result<std::pair<Assessed, std::unique_ptr<Corpus>>> assess(const AssessOptions& options,
                                                            const Context& context);

}  // namespace leitong
