// What the methods share that keep all sketches in memory.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/memory.hpp"
#include "leitong/result.hpp"
#include "base/candidates.hpp"

namespace leitong {

/// Fails with limit, naming what would do, where `documents` at `bytes_each` exceed a set --memory.
Result<void> check_memory(const MemoryBudget& memory, std::uint64_t documents, std::uint64_t bytes_each,
                          std::string_view method);

/// Passes candidates on in batches. One thread.
class CandidateBatch {
 public:
  explicit CandidateBatch(CandidateSink& sink) : sink_(sink) {}

  /// In either order.
  Result<void> add(DocId a, DocId b, double score);
  /// Passes on what is left and has all of it decided. REQUIRED at the end.
  Result<void> finish();
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

 private:
  Result<void> pass_on();

  CandidateSink& sink_;
  std::vector<Candidate> batch_;
  std::uint64_t size_ = 0;
};

}  // namespace leitong
