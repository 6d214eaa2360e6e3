// Results held against the truth -> the report that shows where they err.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "evaluate/error_pairs.hpp"
#include "io/output_file.hpp"
#include "job/assess.hpp"
#include "leitong/result.hpp"
#include "report/report.hpp"

namespace leitong {

/// Rows of each kind of error that one of so many results may have.
[[nodiscard]] std::size_t error_rows_of(std::size_t results) noexcept;

/// Rows with texts, of errors by the numbers of documents, as ReportTrial::errors. Measures of a missed pair
/// are computed; its margin says whether the rule or the search for candidates missed it. `results` is how
/// many share the page.
Result<std::string> error_rows(const Assessed& found, const Corpus& corpus, const AssessOptions& options,
                               const ErrorPairs& errors, std::size_t results, const Context& context);

/// Rows of ids alone. `ids` are those of the numbers in `errors`.
[[nodiscard]] std::string error_rows(const ErrorPairs& errors, const std::vector<std::string>& ids);

/// What else the page says.
struct EvalReport {
  std::string gold;                 ///< its file
  std::vector<std::string> inputs;  ///< texts, or the results' files
  Rule rule;
  bool verified = true;
  bool judged = false;              ///< the truth is judged pairs
  bool texts = true;                ///< were the texts read?
  std::uint64_t gold_left_out = 0;  ///< rows of the truth about other documents
  std::uint64_t errors = 0;         ///< of all results, shown or not
  std::vector<ReportTrial> trials;
};
Result<void> write_eval_report(const EvalReport& report, OutputFile& file);

}  // namespace leitong
