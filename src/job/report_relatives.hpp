// The rows of a report about similar documents that stay.
#pragma once

#include <vector>

#include "job/outcome.hpp"
#include "job/report_rows.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Documents that stay, though similar to one that does, for what would be lost of them, each with the
/// document that lacks least of it: all of them, or as ReportLimits has it those with the least loss and an
/// even sample of the others. Two passes over the pairs.
Result<std::vector<RowRequest>> choose_relatives(const Outcome& outcome);

}  // namespace leitong
