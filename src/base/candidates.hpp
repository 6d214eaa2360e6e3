// The interface for candidate pairs.
#pragma once

#include <span>

#include "base/pair.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Takes candidates and verifies them.
class CandidateSink {
 public:
  virtual ~CandidateSink() = default;
  /// Takes candidates in any order; a pair may come again. Thread-safe.
  virtual Result<void> offer(std::span<const Candidate> candidates) = 0;
  /// So much of all candidates of a search, from 0 to 1, has been offered since the last call with 1. For
  /// progress alone.
  virtual void expect(double /*part*/) {}
  /// True when so many candidates wait that flush() should be called as soon as no other thread offers.
  [[nodiscard]] virtual bool full() const = 0;
  /// Decides all candidates. No other thread may offer meanwhile.
  virtual Result<void> flush() = 0;
  /// After flush(): was the document found similar to any other?
  [[nodiscard]] virtual bool matched(DocId document) const = 0;
};

}  // namespace leitong
