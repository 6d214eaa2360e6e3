// What a finished run says to the person who started it.
#pragma once

#include <string>
#include <vector>

#include "dedup/run.hpp"

namespace leitong::cli {

/// The table on stderr. `decided` is false for runs that only score pairs.
[[nodiscard]] std::string summary_text(const DedupSummary& summary, const DedupOptions& options,
                                       bool decided);

/// What the user should know before trusting the result, one message each.
[[nodiscard]] std::vector<std::string> summary_warnings(const DedupSummary& summary,
                                                        const DedupOptions& options, bool decided);

}  // namespace leitong::cli
