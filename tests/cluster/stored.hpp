// Pairs of a test in a store of their own.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "cluster/pair_store.hpp"
#include "io/run_context.hpp"

namespace leitong::testing {

/// Sorted. `memory` bytes, 0 for as much as it takes.
class Stored {
 public:
  Stored(std::uint64_t documents, const std::vector<VerifiedPair>& pairs, std::uint64_t memory = 0)
      : context_({.memory = memory}), run_(context_), store_(documents, run_) {
    for (const VerifiedPair& pair : pairs) EXPECT_TRUE(store_.add(pair));
    EXPECT_TRUE(store_.sort());
  }
  operator PairStore&() { return store_; }
  [[nodiscard]] RunContext& run() noexcept { return run_; }
  [[nodiscard]] std::vector<VerifiedPair> list() const {
    std::vector<VerifiedPair> pairs;
    EXPECT_TRUE(store_.for_each([&](const VerifiedPair& pair) { pairs.push_back(pair); }));
    return pairs;
  }

 private:
  const Context context_;
  RunContext run_;
  PairStore store_;
};

}  // namespace leitong::testing
