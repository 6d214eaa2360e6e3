// The messages about documents that were checked or added.
#pragma once

#include <span>
#include <string>

#include "leitong/online.hpp"
#include "leitong/result.hpp"

namespace leitong::cli {

/// Ignores the answers.
inline constexpr auto kNobody = [](std::span<const std::string>,
                                   std::span<const online::Answer>) -> Result<void> { return {}; };

/// Prints the counts, and warnings about what was left out or is incomplete. Fails if nothing was read, or if
/// inputs were truncated and not `allow_truncated`.
Result<void> finish_index_run(const online::FileSummary& summary, bool allow_truncated);

/// Prints the figures as one JSON object on standard output.
Result<void> print_json(const online::FileSummary& summary);

}  // namespace leitong::cli
