// Makes the data of a report from stored pairs that were decided again.
#pragma once

#include "job/recluster.hpp"
#include "leitong/result.hpp"
#include "report/report.hpp"

namespace leitong {

/// Ids, scores, margins to the threshold and, if they decide, losses. A file of pairs holds no texts and no
/// places, and the page says so. O(documents + pairs).
Result<ReportData> recluster_report(const ReclusterOptions& options, const Reclustered& result);

}  // namespace leitong
