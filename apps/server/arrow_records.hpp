// Texts and answers as Arrow IPC streams, for programs with columnar data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config.hpp"
#include "leitong/html.hpp"
#include "records.hpp"

namespace leitong::server {

inline constexpr std::string_view kArrowStream = "application/vnd.apache.arrow.stream";

/// Reads the columns id, text, html or fingerprint, source, time and expires of an Arrow IPC stream; other
/// columns are ignored. An unreadable row only affects its own answer. Problems: 400 for other data, 413
/// beyond the limits, 501 if the component is not installed.
[[nodiscard]] Outcome<Records> read_arrow_records(std::string_view body, Wants wants, const Limits& limits,
                                                  HtmlPart part);

/// The stream of the answers, with the columns id, verdict, known (1 or null), match, measure, score,
/// jaccard, containment, distance and reason. `answers` has one for each record without a reason of its own.
[[nodiscard]] Outcome<std::string> write_arrow_answers(const std::vector<Record>& records,
                                                       std::span<const online::Answer> answers);

}  // namespace leitong::server
