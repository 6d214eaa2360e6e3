// Reads the vectors of documents from a NumPy file or a field of the records.
#pragma once

#include <string>
#include <string_view>

#include "corpus/corpus.hpp"
#include "dedup/find_options.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// True if the name means a NumPy file; otherwise it is a field.
[[nodiscard]] bool is_vector_file(std::string_view vectors) noexcept;

/// Makes the corpus read the field, if it is one.
void ask_for_vectors(const std::string& vectors, InputOptions& input);

/// The vectors of all documents. REQUIRES that the corpus has been read. A file has one row for each record,
/// including quarantined ones: another number of rows fails with invalid_argument, naming both. For a field,
/// each document is read again in input order, and its vector is stored in the work folder as float64; a
/// document without one, or with another number of dimensions than the first vector, gets an unusable row.
/// Fails with invalid_argument if no document has a vector, and as open_vector_file().
Result<DocumentVectors> read_vectors(const std::string& vectors, const Corpus& corpus, const RunContext& run);

/// What must be unchanged for a later run: the name, and for a file its size and time.
Result<std::string> about_vectors(const std::string& vectors);

}  // namespace leitong
