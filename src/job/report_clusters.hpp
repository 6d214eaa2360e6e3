// Chooses the clusters that a report shows.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "cluster/settle.hpp"
#include "corpus/corpus.hpp"
#include "job/outcome.hpp"
#include "leitong/result.hpp"
#include "report/report.hpp"

namespace leitong {

/// A settled corpus, with what is known about its documents.
struct Clustered {
  std::span<const std::uint32_t> cluster;  ///< number of each document's cluster, 1 .. clusters; 0: none
  std::uint64_t clusters = 0;
  const Settlement& settlement;
  std::function<std::pair<Measure, float>(DocId)> reason;  ///< why a document left
  std::function<Result<ReportDocument>(DocId)> describe;   ///< what the page shows of a document
};

/// Adds the largest clusters, the largest first, each with its least similar members, and the numbers of
/// clusters by size. O(documents).
Result<void> add_clusters(const Clustered& clustered, ReportData& data);
Result<void> add_clusters(const Corpus& corpus, const Outcome& outcome, const std::string& title_field,
                          ReportData& data);

}  // namespace leitong
