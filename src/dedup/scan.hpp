// The first pass: texts become units and sketches, and copies are set aside.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/document_table.hpp"
#include "corpus/documents.hpp"
#include "dedup/audit.hpp"
#include "dedup/copy_table.hpp"
#include "dedup/kept_units.hpp"
#include "io/run_context.hpp"
#include "io/shard_log.hpp"
#include "leitong/result.hpp"
#include "scheme/scheme.hpp"
#include "text/page_artifacts.hpp"

namespace leitong {

/// The inputs and outputs of the first pass.
struct Scan {
  DocumentSource& source;
  const Sketcher& sketcher;
  /// Takes the sketches of distinct documents in ascending order of documents, one thread at a time.
  std::function<Result<void>(DocId document, std::span<const std::uint64_t> words)> take;
  DocumentTable& table;
  RecallSample* sample;  ///< may be null
  KeptUnits* kept;       ///< takes the units of distinct documents; may be null
  /// The batches that an earlier run sketched, and where this run stores its own; may be null.
  ShardLog* sketches;
  RunContext& run;

  std::vector<Copy> copies = {};
  std::uint64_t text_bytes = 0;
  PageArtifactCounts artifacts;
  std::uint64_t without_sketch = 0;  ///< documents without a sketch; copies not counted
};

/// Streams all documents through parsing, folding and sketching in parallel, and commits them in input order.
/// Texts without a single unit (emoji, punctuation) are documents like others, but are copies only of texts
/// with the same bytes. Batches that were sketched before are read, but neither parsed nor sketched again.
/// Ends early with the error of a bad record under --strict, an exhausted memory budget, or a stop.
Result<void> scan(Scan& scan);

}  // namespace leitong
