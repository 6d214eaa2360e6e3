// Online indexes whose texts are documents beside those of files: the references of a run, or a corpus.
#pragma once

#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "dedup/find_pairs.hpp"
#include "leitong/context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A source for each folder: the texts of its index in the order of their arrival, as `leitong index export`
/// would write them. They are read where they lie, one after another and then by their numbers, and nothing
/// of the folder changes; nobody else may change it before the sources are gone.
///
/// Fails with not_found where there is no index; with io if another process has it open for writing; with
/// unsupported for one on a server, and for one that keeps no texts; with invalid_argument for one that
/// compares by something else than the run.
Result<std::vector<InputOptions::Given>> open_reference_indexes(const std::vector<std::string>& places,
                                                                const FindOptions& find,
                                                                const Context& context);

/// Makes such sources of those paths of a corpus that are indexes, whatever these compare by. Fails as
/// open_reference_indexes().
Result<void> read_indexes_of_corpus(InputOptions& corpus, const Context& context);

/// Fails with invalid_argument if one of the paths is an index, whose files are no documents.
Result<void> check_no_index(const std::vector<std::string>& paths);

}  // namespace leitong
