// What the commands of online indexes print.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

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

/// An answer as one JSON object without a line feed (docs/format.md).
[[nodiscard]] std::string answer_json(std::string_view id, const online::Answer& answer);

/// A text of an index as a JSON object, without the text itself.
[[nodiscard]] nlohmann::ordered_json stored_json(const online::Stored& stored);

}  // namespace leitong::cli
