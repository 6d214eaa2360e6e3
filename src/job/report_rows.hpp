// The rows of a report: two documents each, read again, with what they share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "corpus/corpus.hpp"
#include "dedup/template/marks.hpp"
#include "job/report_sources.hpp"
#include "leitong/result.hpp"
#include "report/report.hpp"
#include "similarity/rule.hpp"

namespace leitong {

/// A row to be made. Where `scores` has measures below 0, they are computed from the texts.
struct RowRequest {
  DocId a = 0, b = 0;
  RowOutcome outcome = RowOutcome::removed;
  VerifiedPair scores;
  bool borderline = false;
  std::optional<Loss> loss = {};       ///< what b lacks of a, where it was asked
  Relation relation = Relation::copy;  ///< of the two, where there is a loss
};

/// Marks the rows that a reader should see first: those with the least margin to the rule, each `b` once, so
/// that no family fills the list. `margin[i]` is of `requests[i]`.
void mark_borderline(std::span<RowRequest> requests, std::span<const double> margins);

/// Reads the documents of each row and cuts their texts to what fits. Margins are exact: the shingles of both
/// texts are counted anew, and so is what is lost, of which the places are shown. `templates` may be null. On
/// the threads of the calling arena; the same for any number of them. Memory: what is shown, and two texts
/// for each thread.
Result<std::vector<ReportRow>> read_rows(const Corpus& corpus, const Rule& rule, std::uint64_t whole_page,
                                         std::span<const RowRequest> requests, const DocumentSources& sources,
                                         const TemplateMarks* templates, StopToken stop);

}  // namespace leitong
