// What a report says in words: the settings of the run, and what the reader should know about the result.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/corpus.hpp"
#include "leitong/job.hpp"
#include "leitong/settings.hpp"
#include "report/report.hpp"

namespace leitong {

/// The names of the first inputs, without their folders.
[[nodiscard]] std::string report_title(const std::vector<std::string>& paths);

/// The numbers of the most frequent reasons, and the sum of all others, for which the page has a word.
Result<std::vector<std::pair<std::string, std::uint64_t>>> quarantine_reasons(const Corpus& corpus);

/// Every setting that was given or chosen, with its value (`method` is the one in force). "*" means a value
/// for which the page has a word (all threads, yes).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> report_settings(const DedupJob& job,
                                                                               const std::string& method,
                                                                               const DedupSummary& summary);

/// The input, and the settings that differ from their defaults or are named, with their values.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> shown_settings(
    const std::vector<std::string>& paths, std::span<const ChosenSetting> chosen,
    std::initializer_list<std::string_view> named);
/// The same for a whole job.
template <class Job>
[[nodiscard]] std::vector<std::pair<std::string, std::string>> shown_settings(
    const Job& job, std::initializer_list<std::string_view> named) {
  return with_chosen(job, [&](std::span<const ChosenSetting> chosen) {
    return shown_settings(job.input.paths, chosen, named);
  });
}

/// run_warnings() with the figures that are named in the words of the page.
[[nodiscard]] std::vector<ReportWarning> report_warnings(const DedupJob& job, const std::string& method,
                                                         const DedupSummary& summary);

}  // namespace leitong
