// Makes the report that shows where results differ from the truth.
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

/// The most rows of each kind of error for each of so many results.
[[nodiscard]] std::size_t error_rows_of(std::size_t results) noexcept;

/// Rows with texts for errors by the numbers of documents, in the form of ReportTrial::errors. Measures of a
/// missed pair are computed; its margin tells whether the rule or the search for candidates missed it.
/// `results` is the number of results on the page.
Result<std::string> error_rows(const Assessed& found, const Corpus& corpus, const AssessOptions& options,
                               const ErrorPairs& errors, std::size_t results, const Context& context);

/// Rows of ids alone. `ids` are those of the numbers in `errors`.
[[nodiscard]] std::string error_rows(const ErrorPairs& errors, const std::vector<std::string>& ids);

/// What else the page says.
struct EvalReport {
  std::string gold;                 ///< the file of the truth
  std::vector<std::string> inputs;  ///< files of texts, or of results
  Rule rule;
  bool verified = true;
  bool judged = false;              ///< true if the truth is judged pairs
  bool texts = true;                ///< true if the texts were read
  std::uint64_t gold_left_out = 0;  ///< rows of the truth about other documents
  std::uint64_t errors = 0;         ///< of all results, shown or not
  std::vector<ReportTrial> trials;
};
Result<void> write_eval_report(const EvalReport& report, OutputFile& file);

}  // namespace leitong
