// The first pass: text -> units -> sketches, copies set aside.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/memory.hpp"
#include "corpus/documents.hpp"
#include "dedup/audit.hpp"
#include "dedup/copy_table.hpp"
#include "dedup/method.hpp"
#include "leitong/result.hpp"
#include "base/document_table.hpp"

namespace leitong {

/// What the first pass works on and fills.
struct Scan {
  DocumentSource& source;
  Method& method;
  DocumentTable& table;
  RecallSample* sample;  ///< may be null
  MemoryBudget& memory;
  const std::atomic<bool>& stop;
  std::function<void()> progress;  ///< called after each batch, by one thread at a time

  std::vector<Copy> copies;
  std::uint64_t text_bytes = 0;
  std::uint64_t without_sketch = 0;  ///< documents of which the method made nothing; copies aside
};

/// Streams all documents through parsing, folding and sketching in parallel, and commits them in input order.
/// Texts
/// without a single unit (emoji, punctuation) are documents like others, and copies only of what has the same
/// bytes. Ends early with the error of a bad record under --strict, a spent memory budget, or a stop.
Result<void> scan(Scan& scan);

}  // namespace leitong
