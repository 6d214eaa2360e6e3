// Pairs by the cosine of vectors that the user brings, beside those of the rule.
#pragma once

#include "corpus/documents.hpp"
#include "dedup/document_vectors.hpp"
#include "dedup/find_pairs.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Adds to `found.pairs`, which holds the decided pairs of the rule, all others whose vectors have a cosine
/// of at least `least`, and sorts it; fills found.vectors. Only originals are compared: copies share their
/// fate. With `verify` their texts are compared too, so that every pair has its Jaccard and containment. Time
/// and memory as join_by_cosine(), and 24 bytes a pair, which go to disk.
Result<void> find_by_cosine(const DocumentSource& source, const DocumentVectors& vectors, double least,
                            bool verify, RunContext& run, Found& found);

}  // namespace leitong
