// Vectors that the user brings, as a second reason why two documents are similar.
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
  /// Of every row that belongs to no document (its record can't be one) the number of documents before it,
  /// rising.
  std::vector<DocId> gaps;
  /// What is wrong with the first row that is unusable, where whoever read the rows knows it better than the
  /// numbers tell.
  std::string first_fault;
};

}  // namespace leitong
