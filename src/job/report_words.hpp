// What a report says in words: the settings of the run, and what the reader should know about the result.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "leitong/job.hpp"
#include "report/report.hpp"

namespace leitong {

/// The names of the first inputs, without their folders.
[[nodiscard]] std::string report_title(const std::vector<std::string>& paths);

/// Every setting that was given or chosen, with its value (`method` is the one in force). "*" means a value
/// for which the page has a word (all threads, yes).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> report_settings(const DedupJob& job,
                                                                               const std::string& method,
                                                                               const DedupSummary& summary);

/// run_warnings() with the figures that are named in the words of the page.
[[nodiscard]] std::vector<ReportWarning> report_warnings(const DedupJob& job, const std::string& method,
                                                         const DedupSummary& summary);

}  // namespace leitong
