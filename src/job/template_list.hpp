// The templates of a corpus, as a list.
#pragma once

#include <string>

#include "corpus/corpus.hpp"
#include "dedup/find_pairs.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// TSV with a header line `families sites example passage`: each template of the documents that were looked
/// at, as it stands in the first of them that holds it, the commonest first. `families`: of texts that hold
/// it; `sites`: empty where they are not known; `example`: the id of that document. A passage is a run of at
/// least eight template shingles, cut where the number of families changes by more than half; one of which
/// most shingles were listed already is left out. Reads the documents with templates again. REQUIRES
/// found.marks.
Result<std::string> list_templates(const Corpus& corpus, const PairResult& found);

}  // namespace leitong
