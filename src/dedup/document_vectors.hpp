// Vectors that the user brings, as a second criterion of similarity.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/pair.hpp"
#include "io/vector_rows.hpp"

namespace leitong {

/// The vectors of all documents of a run.
struct DocumentVectors {
  std::unique_ptr<VectorRows> rows;  ///< in the order of the documents
  /// For every row that belongs to no document (because its record cannot be one) the number of documents
  /// before it, ascending.
  std::vector<DocId> gaps;
  /// What is wrong with the first unusable row, if the reader of the rows knows more about it than the
  /// numbers tell.
  std::string first_fault;
};

}  // namespace leitong
