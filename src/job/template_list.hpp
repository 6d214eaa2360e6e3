// Lists the templates of a corpus.
#pragma once

#include <string>

#include "corpus/corpus.hpp"
#include "dedup/pair_result.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// TSV with a header line `families sites example passage`: each template of the documents that were
/// examined, as it occurs in the first of them, the most frequent first. `families` is the number of families
/// of texts that hold it; `sites` is empty if sites are not known; `example` is the id of the first document.
/// A passage is a run of at least eight template shingles, cut where the number of families changes by more
/// than half; a passage of which most shingles were listed already is left out. Reads the documents with
/// templates again. REQUIRES found.marks.
Result<std::string> list_templates(const Corpus& corpus, const PairResult& found);

}  // namespace leitong
