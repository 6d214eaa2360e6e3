// Pairs by the cosine of vectors that the user brings, beside those of the rule.
#pragma once

#include <memory>

#include "corpus/documents.hpp"
#include "dedup/document_vectors.hpp"
#include "dedup/find_pairs.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Finds pairs of originals: copies share their fate. What is passed must outlive it.
class CosinePairs {
 public:
  CosinePairs(const DocumentSource& source, const DocumentVectors& vectors, const FindOptions& options,
              RunContext& run, PairResult& found);
  ~CosinePairs();
  CosinePairs(const CosinePairs&) = delete;
  CosinePairs& operator=(const CosinePairs&) = delete;

  /// Adds to `found.pairs`, which holds the decided pairs of the rule, others whose vectors have a cosine of
  /// at least options.cosine, and sorts it; fills found.vectors. With options.verify their texts are compared
  /// too, so that every pair has its Jaccard and containment. Time and memory as join_by_cosine() or
  /// join_approximately(), and 24 bytes a pair, which go to disk.
  Result<void> find();

  /// Are there pairs that find() didn't compare?
  [[nodiscard]] bool may_miss() const noexcept;
  /// Remembers a pair that nobody may have compared; 8 bytes.
  void consider(DocId a, DocId b);
  /// Compares what is remembered, and adds it in the same way. Two rows are read for each pair.
  Result<void> flush();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong
