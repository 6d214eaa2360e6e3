// What finders share.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dedup/pair_finder.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Of documents that agree in a key: in a larger group not each meets each, only its first ones meet all.
inline constexpr std::uint32_t kLargestGroup = 64;

/// What the sketches may take of a run's memory.
class SketchMemory {
 public:
  explicit SketchMemory(const FinderContext& context)
      : memory_(context.run.memory), method_(context.method) {}

  /// Fails with limit, naming what would do, where `documents` at `bytes_each` exceed a set memory budget.
  [[nodiscard]] Result<void> check(std::uint64_t documents, std::uint64_t bytes_each) const;

 private:
  const MemoryBudget& memory_;
  std::string_view method_;
};

/// Of methods that find every pair of their measure: their time grows with the square of the number of texts
/// that are alike, and of short texts that share common phrases.
class AllPairsWarning {
 public:
  /// Documents from which that may be hours.
  static constexpr std::uint64_t kMany = 50'000;

  explicit AllPairsWarning(const FinderContext& context)
      : context_(context.run.context), table_(context.table), method_(context.method) {}

  /// Tells the context's log, before a search of so many documents.
  void say() const;

 private:
  const Context& context_;
  const DocumentTable& table_;
  std::string_view method_;
};

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
