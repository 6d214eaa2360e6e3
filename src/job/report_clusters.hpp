// The clusters that a report shows.
#pragma once

#include <vector>

#include "corpus/corpus.hpp"
#include "job/outcome.hpp"
#include "leitong/result.hpp"
#include "report/report.hpp"

namespace leitong {

/// The largest clusters, the larger first, each with its least similar members. O(documents).
Result<std::vector<ReportCluster>> report_clusters(const Corpus& corpus, const Outcome& outcome);

/// How many clusters have which size, the smallest first. O(documents).
[[nodiscard]] std::vector<std::pair<std::uint64_t, std::uint64_t>> size_counts(const Outcome& outcome);

}  // namespace leitong
