// Measures a result in files against the truth in another file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "leitong/context.hpp"
#include "leitong/evaluate.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// What is measured, by the names of files; "-" is standard input.
struct ResultFiles {
  std::string gold;             ///< the truth (evaluate/gold.hpp)
  std::string clusters, pairs;  ///< the result: one of the two is set
  std::string ids;              ///< a file with one id a line: only these documents count; may be empty
  std::uint64_t documents = 0;  ///< number of documents; 0: those that the files name, or `ids`
  bool report = false;          ///< true if rows for a report are needed
};

/// Rows about documents that do not count.
struct LeftOut {
  std::uint64_t gold_rows = 0, judged_pairs = 0, result_rows = 0, claimed_pairs = 0;
};

struct MeasuredResult {
  std::uint64_t documents = 0;
  LeftOut left_out;
  std::optional<JudgedCounts> judged;      ///< if the truth is judged pairs
  std::optional<ClusterMetrics> clusters;  ///< if truth and result are clusters
  PairCounts pairs;                        ///< if the truth is clusters
  std::uint64_t errors = 0;                ///< number of pairs about which result and truth disagree
  std::string error_rows;                  ///< as ReportTrial::errors, if rows are needed
};

/// Fails with invalid_argument if the files name more documents than `documents` says.
Result<MeasuredResult> measure_result(const ResultFiles& files, const Context& context);

}  // namespace leitong
