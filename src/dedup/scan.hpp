// The first pass: text -> units -> sketches, copies set aside.
#pragma once

#include <cstdint>
#include <vector>

#include "base/document_table.hpp"
#include "corpus/documents.hpp"
#include "dedup/audit.hpp"
#include "dedup/copy_table.hpp"
#include "dedup/method.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// What the first pass works on and fills.
struct Scan {
  DocumentSource& source;
  Method& method;
  DocumentTable& table;
  RecallSample* sample;  ///< may be null
  RunContext& run;

  std::vector<Copy> copies = {};
  std::uint64_t text_bytes = 0;
  std::uint64_t without_sketch = 0;  ///< documents of which the method made nothing; copies aside
};

/// Streams all documents through parsing, folding and sketching in parallel, and commits them in input order.
/// Texts
/// without a single unit (emoji, punctuation) are documents like others, and copies only of what has the same
/// bytes. Ends early with the error of a bad record under --strict, a spent memory budget, or a stop.
Result<void> scan(Scan& scan);

}  // namespace leitong
