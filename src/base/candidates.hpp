// Where candidate pairs go.
#pragma once

#include <span>

#include "base/pair.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Receives candidates; verification happens behind it.
class CandidateSink {
 public:
  virtual ~CandidateSink() = default;
  /// Hands over candidates in any order; a pair may come again. Thread-safe.
  virtual Result<void> offer(std::span<const Candidate> candidates) = 0;
  /// True when so many candidates wait that flush() should be called at the next point where no other thread
  /// offers.
  [[nodiscard]] virtual bool full() const = 0;
  /// Decides everything that was offered. Not while another thread offers.
  virtual Result<void> flush() = 0;
  /// After flush(): has the document been found similar to any other?
  [[nodiscard]] virtual bool matched(DocId document) const = 0;
};

}  // namespace leitong
