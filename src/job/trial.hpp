// One method on texts whose truth is known: how good it is, what it costs, and where it is wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "job/assess.hpp"
#include "leitong/evaluate.hpp"
#include "leitong/result.hpp"

namespace leitong {

struct TrialOptions {
  AssessOptions assess;
  std::string gold;          ///< the truth (evaluate/gold.hpp)
  std::string ids;           ///< a file, one id a line: no other documents count; empty: all do
  std::size_t examples = 0;  ///< false positives and false negatives to be named, each
  std::size_t reported = 0;  ///< results that share a report; 0: rows for a report aren't asked for
};

/// A pair that the method and the truth disagree about.
struct TrialExample {
  std::string id_a, id_b;
  std::optional<double> score;  ///< of a claimed pair
  std::string passage;          ///< the longest that the two texts share, cut to some words; may be empty
};

struct Trial {
  bool judged = false;  ///< the truth is judged pairs: then `pairs` and `accuracy` are all that is known
  Score pairs;
  double accuracy = 0;
  ClusterMetrics clusters;
  std::uint64_t documents = 0, bytes = 0;        ///< that count
  std::uint64_t removed = 0, removed_bytes = 0;  ///< of these
  std::uint64_t claimed_pairs = 0;
  std::uint64_t absent = 0;         ///< ids of the truth that don't count: no document has them
  std::uint64_t listed_absent = 0;  ///< ids of the list that no document has
  std::uint64_t read_documents = 0, read_bytes = 0;  ///< the whole input: what the run's cost is about
  std::uint64_t candidates = 0, without_signature = 0;
  double seconds = 0;
  /// Where the truth is clusters; examples where they are asked for.
  std::uint64_t false_positives = 0, false_negatives = 0;
  std::vector<TrialExample> false_positive_examples;  ///< those that the method is surest of
  std::vector<TrialExample> false_negative_examples;  ///< an even choice of all
  std::uint64_t errors = 0;                           ///< pairs that the method and the truth disagree about
  std::string error_rows;                             ///< as ReportTrial::errors, where rows are asked for
};

/// Runs the method and compares. `stop` is polled.
Result<Trial> try_method(const TrialOptions& options, const Context& context);

}  // namespace leitong
