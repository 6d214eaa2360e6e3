// A sink that remembers what it was offered.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <utility>

#include "base/candidates.hpp"

namespace leitong {

using PairScores = std::map<std::pair<DocId, DocId>, float>;

class RecordingSink final : public CandidateSink {
 public:
  Result<void> offer(std::span<const Candidate> candidates) override {
    const std::scoped_lock lock(mutex_);
    for (const Candidate& candidate : candidates) {
      EXPECT_LT(candidate.a, candidate.b);
      pairs_[{candidate.a, candidate.b}] = candidate.score;
    }
    flushed_ = false;
    return {};
  }
  [[nodiscard]] bool full() const override { return false; }
  Result<void> flush() override {
    flushed_ = true;
    return {};
  }
  [[nodiscard]] bool matched(DocId) const override { return false; }

  [[nodiscard]] const PairScores& pairs() const { return pairs_; }
  [[nodiscard]] bool flushed() const { return flushed_; }

 private:
  std::mutex mutex_;
  PairScores pairs_;
  bool flushed_ = true;
};

}  // namespace leitong
