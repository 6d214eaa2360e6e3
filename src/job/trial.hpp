// Tries one method on texts whose truth is known: how good it is, what it costs, and where it is wrong.
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
  std::string ids;           ///< a file with one id a line: only these documents count; empty: all count
  std::size_t examples = 0;  ///< how many false positives and how many false negatives are named
  std::size_t reported = 0;  ///< number of results in one report; 0: rows for a report are not needed
};

/// A pair about which the method and the truth disagree.
struct TrialExample {
  std::string id_a, id_b;
  std::optional<double> score;  ///< for a claimed pair
  std::string passage;          ///< the longest that the two texts share, cut to some words; may be empty
};

struct Trial {
  bool judged = false;  ///< true if the truth is judged pairs: then only `pairs` and `accuracy` are known
  Score pairs;
  double accuracy = 0;
  ClusterMetrics clusters;
  std::uint64_t documents = 0, bytes = 0;        ///< those that count
  std::uint64_t removed = 0, removed_bytes = 0;  ///< of these
  std::uint64_t claimed_pairs = 0;
  std::uint64_t absent = 0;         ///< ids of the truth that do not count, since no document has them
  std::uint64_t listed_absent = 0;  ///< ids of the list that no document has
  /// The whole input, which determines the cost of the run.
  std::uint64_t read_documents = 0, read_bytes = 0;
  std::uint64_t candidates = 0, without_signature = 0;
  double seconds = 0;
  /// Only if the truth is clusters; examples only if they are requested.
  std::uint64_t false_positives = 0, false_negatives = 0;
  std::vector<TrialExample> false_positive_examples;  ///< those with the highest scores of the method
  std::vector<TrialExample> false_negative_examples;  ///< an even choice of all
  /// Number of pairs about which the method and the truth disagree.
  std::uint64_t errors = 0;
  std::string error_rows;  ///< as ReportTrial::errors, if rows are needed
};

/// Runs the method and compares. `stop` is polled.
Result<Trial> try_method(const TrialOptions& options, const Context& context);

}  // namespace leitong
