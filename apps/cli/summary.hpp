// What a finished run says to the person who started it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "job/run.hpp"

namespace leitong::cli {

/// The table on stderr.
[[nodiscard]] std::string summary_text(const DedupSummary& summary, const DedupOptions& options);

/// What the user should know before trusting the result, one message each.
[[nodiscard]] std::vector<std::string> summary_warnings(const DedupSummary& summary,
                                                        const DedupOptions& options);

/// The same of records that a run without a quarantine file left out; `first` is "place: reason".
[[nodiscard]] std::string left_out_warning(std::uint64_t quarantined, std::string_view first);

}  // namespace leitong::cli
