// Stored pairs, decided again -> the value that their report is drawn from.
#pragma once

#include "job/recluster.hpp"
#include "leitong/result.hpp"
#include "report/report.hpp"

namespace leitong {

/// Ids, scores, margins to the threshold and, where they decide, losses: a file of pairs holds no texts and
/// no places, and the page says so. O(documents + pairs).
Result<ReportData> recluster_report(const ReclusterOptions& options, const Reclustered& result);

}  // namespace leitong
