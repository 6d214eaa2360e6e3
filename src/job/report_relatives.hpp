// The rows of a report about similar documents that stay.
#pragma once

#include <vector>

#include "job/outcome.hpp"
#include "job/report_rows.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Documents that stay because of what would be lost, though they are similar to another one that stays, each
/// with the document that lacks least of it. All of them, or within ReportLimits those with the least loss
/// and an even sample of the others. Two passes over the pairs.
Result<std::vector<RowRequest>> choose_relatives(const Outcome& outcome);

}  // namespace leitong
