// A result in files, measured against the truth in another.
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
  std::string clusters, pairs;  ///< the result: one of the two
  std::string ids;              ///< a file, one id a line: no other documents count; may be empty
  std::uint64_t documents = 0;  ///< how many there are; 0: those that the files name, or `ids`
  bool report = false;          ///< are rows for a report asked for?
};

/// Rows about documents that don't count.
struct LeftOut {
  std::uint64_t gold_rows = 0, judged_pairs = 0, result_rows = 0, claimed_pairs = 0;
};

struct MeasuredResult {
  std::uint64_t documents = 0;
  LeftOut left_out;
  std::optional<JudgedCounts> judged;      ///< where the truth is judged pairs
  std::optional<ClusterMetrics> clusters;  ///< where truth and result are clusters
  PairCounts pairs;                        ///< where the truth is clusters
  std::uint64_t errors = 0;                ///< pairs that result and truth disagree about
  std::string error_rows;                  ///< as ReportTrial::errors, where rows are asked for
};

/// Fails with invalid_argument where the files name more documents than there are said to be.
Result<MeasuredResult> measure_result(const ResultFiles& files, const Context& context);

}  // namespace leitong
