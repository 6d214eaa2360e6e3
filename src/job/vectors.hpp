// Vectors of documents, from a NumPy file or a field of the records.
#pragma once

#include <string>
#include <string_view>

#include "corpus/corpus.hpp"
#include "dedup/document_vectors.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Does the name stand for a NumPy file? Else it is a field.
[[nodiscard]] bool is_vector_file(std::string_view vectors) noexcept;

/// Has the corpus read the field, if it is one.
void ask_for_vectors(const std::string& vectors, InputOptions& input);

/// The vectors of all documents; REQUIRES that the corpus has been read. A file has one row for each record,
/// quarantined ones too: another number fails with invalid_argument and names both. Of a field, each document
/// is read again in input order, and its vector goes to the work folder as float64; a document without one,
/// or with another number of dimensions than the first that has one, gets a row that is unusable. Fails with
/// invalid_argument where no document has a vector, and as open_vector_file().
Result<DocumentVectors> read_vectors(const std::string& vectors, const Corpus& corpus, const RunContext& run);

/// What a later run is to find unchanged: the name, and of a file its size and time.
Result<std::string> about_vectors(const std::string& vectors);

}  // namespace leitong
