// What a report says in words: what was asked for, and what the reader ought to know of the result.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "leitong/job.hpp"
#include "report/report.hpp"

namespace leitong {

/// The names of the first inputs, without their folders.
[[nodiscard]] std::string report_title(const std::vector<std::string>& paths);

/// Every setting that was given or chosen, with its value (`method`: the one in force); "*" stands for a
/// value that the page has a word for (all threads, yes).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> report_settings(const DedupJob& job,
                                                                               const std::string& method,
                                                                               const DedupSummary& summary);

/// run_warnings() with the figures that the page's words name.
[[nodiscard]] std::vector<ReportWarning> report_warnings(const DedupJob& job, const std::string& method,
                                                         const DedupSummary& summary);

}  // namespace leitong
