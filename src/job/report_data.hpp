// Makes the data of the report of a finished run.
#pragma once

#include "corpus/corpus.hpp"
#include "dedup/find_options.hpp"
#include "job/outcome.hpp"
#include "job/report_rows.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"
#include "report/report.hpp"

namespace leitong {

/// Chooses what is shown, within ReportLimits, and reads these documents again. The result does not depend on
/// the number of threads. O(documents + pairs); memory: eight bytes a document, and what is shown. `texts`
/// takes the file of the whole texts of the rows, if it is not empty.
Result<ReportData> report_data(const DedupJob& job, const FindOptions& find, const DedupSummary& summary,
                               const Corpus& corpus, const Outcome& outcome, const WriteTexts& texts = {});

}  // namespace leitong
