// Pairs found by the cosine of vectors that the user brings, in addition to those of the rule.
#pragma once

#include <memory>

#include "corpus/documents.hpp"
#include "dedup/find_options.hpp"
#include "dedup/pair_result.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Finds pairs of originals; their copies are treated as they are. All arguments must outlive this object.
class CosinePairs {
 public:
  CosinePairs(const DocumentSource& source, const DocumentVectors& vectors, const FindOptions& options,
              RunContext& run, PairResult& found);
  ~CosinePairs();
  CosinePairs(const CosinePairs&) = delete;
  CosinePairs& operator=(const CosinePairs&) = delete;

  /// Adds to `found.pairs`, which holds the decided pairs of the rule, all other pairs whose vectors have a
  /// cosine of at least options.cosine. Sorts it and fills found.vectors. With options.verify their texts are
  /// compared too, so that every pair has its Jaccard value and containment. Takes the time and memory of
  /// join_by_cosine() or join_approximately(), and 24 bytes of disk a pair.
  Result<void> find();

  /// True if there may be pairs that find() did not compare.
  [[nodiscard]] bool may_miss() const noexcept;
  /// Records a pair that may not have been compared yet. Takes 8 bytes.
  void consider(DocId a, DocId b);
  /// Compares the recorded pairs and adds those that are similar as find() does. Reads two rows for each
  /// pair.
  Result<void> flush();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong
