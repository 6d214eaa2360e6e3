// The messages of a finished run for its user.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/job.hpp"

namespace leitong::cli {

/// What most users ask of a run, in at most six lines: how much was read, stays and leaves, the pairs, and
/// the recall with its interval.
[[nodiscard]] std::string summary_text(const DedupSummary& summary, const DedupJob& job);

/// All figures, for --verbose.
[[nodiscard]] std::string full_summary_text(const DedupSummary& summary, const DedupJob& job);

/// What the user should know before using the result, one message each.
[[nodiscard]] std::vector<std::string> summary_warnings(const DedupSummary& summary, const DedupJob& job);

/// What became of the records of a run.
struct ReadFigures {
  std::uint64_t documents = 0, quarantined = 0, truncated_inputs = 0;
  std::string first_quarantined;
};
/// Fails if none of them was a document, or if inputs were truncated and not `allow_truncated`: a scheduled
/// job must notice this.
Result<void> check_read(const ReadFigures& figures, bool allow_truncated);

/// The same for records that a run without a quarantine file left out; `first` is "place: reason".
[[nodiscard]] std::string left_out_warning(std::uint64_t quarantined, std::string_view first);

/// Warns of ids in a file of truth that no document of the input has, if there are any.
void warn_of_absent(const std::string& gold, std::uint64_t absent);

}  // namespace leitong::cli
