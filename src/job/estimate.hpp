// What a run would meet and cost, judged by a sample of its input.
#pragma once

#include <cstdint>

#include "job/run.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// `documents`, `seconds` and `memory` are for the whole input where its size is known, else for the sample.
struct Estimate {
  std::uint64_t input_bytes = 0;    ///< as stored; 0 if a pipe is among the inputs
  std::uint64_t sampled_bytes = 0;  ///< of these
  std::uint64_t sampled_documents = 0;
  std::uint64_t sampled_quarantined = 0;
  bool whole = false;  ///< the sample is all of the input
  std::uint64_t documents = 0;
  std::uint64_t memory = 0;  ///< bytes: the context's, or what the budget grows to
  double seconds = 0;        ///< without writing outputs
  /// Share of documents that would be removed. A sample holds only some copies of each text, so the true
  /// share is larger as a rule.
  double removed = 0;
};

/// Reads up to 64 MB (as stored) from up to 16 places that are spread evenly over the list of files, and runs
/// the method on them. Writes nothing but nameless files in the work folder. What is read from a pipe is
/// gone. Bad records are counted, under --strict too.
Result<Estimate> estimate_run(const DedupOptions& options, const Context& context);

}  // namespace leitong
