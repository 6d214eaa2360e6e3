// Online indexes whose texts are documents in addition to those of files: as references of a run, or as a
// corpus.
#pragma once

#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "dedup/find_options.hpp"
#include "leitong/context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Makes a source for each folder: the texts of its index in the order of their arrival, as `leitong index
/// export` would write them. They are read from the index itself, one after another and then by their
/// numbers. Nothing in the folder changes, and it must not be changed by others before the sources are gone.
///
/// Fails with not_found if there is no index; with io if another process has it open for writing; with
/// unsupported for one on a server and for one that stores no texts; with invalid_argument for one that
/// compares texts differently than the run.
Result<std::vector<InputOptions::Given>> open_reference_indexes(const std::vector<std::string>& places,
                                                                const FindOptions& find,
                                                                const Context& context);

/// Makes such sources of those paths of a corpus that are indexes, however these compare texts. Fails as
/// open_reference_indexes().
Result<void> read_indexes_of_corpus(InputOptions& corpus, const Context& context);

/// Fails with invalid_argument if one of the paths is an index, since its files are no documents.
Result<void> check_no_index(const std::vector<std::string>& paths);

}  // namespace leitong
