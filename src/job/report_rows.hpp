// The rows of a report: two documents each, which are read again, and what they share.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"
#include "dedup/template/marks.hpp"
#include "job/report_sources.hpp"
#include "leitong/result.hpp"
#include "report/report.hpp"
#include "similarity/rule.hpp"

namespace leitong {

/// A requested row. Measures below 0 in `scores` are computed from the texts.
struct RowRequest {
  DocId a = 0, b = 0;
  RowOutcome outcome = RowOutcome::removed;
  VerifiedPair scores;
  bool borderline = false;
  std::optional<Loss> loss = {};       ///< what b lacks of a, if losses were requested
  Relation relation = Relation::copy;  ///< relation of the two, if there is a loss
};

/// Marks the rows that a reader should see first: those with the least margin to the rule, with each `b`
/// once, so that no family fills the list. `margin[i]` belongs to `requests[i]`.
void mark_borderline(std::span<RowRequest> requests, std::span<const double> margins);

/// The value of `field`, on one line; empty for an empty `field`. Reads the record again.
Result<std::string> title_of(const Corpus& corpus, DocId document, const std::string& field,
                             ReadScratch& scratch);

/// Takes bytes of the file of whole texts.
using WriteTexts = std::function<Result<void>(std::string_view)>;

/// Reads the documents of each row and cuts their texts to the size that fits. Margins are exact: the
/// shingles of both texts are counted again, and so is what is lost, whose places are shown. `templates` may
/// be null. An empty `title_field` is none. Runs on the threads of the calling arena; the result does not
/// depend on their number. `texts`, if it is not empty, takes the whole texts of each row in their order, and
/// the rows say where they are. Memory: what is shown, and some texts for each thread.
Result<std::vector<ReportRow>> read_rows(const Corpus& corpus, const Rule& rule, std::uint64_t whole_page,
                                         std::span<const RowRequest> requests, const DocumentSources& sources,
                                         const TemplateMarks* templates, StopToken stop,
                                         const std::string& title_field = {}, const WriteTexts& texts = {});

}  // namespace leitong
