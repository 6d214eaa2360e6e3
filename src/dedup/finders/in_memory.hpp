// What finders share.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dedup/pair_finder.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// In a larger group of documents that agree in a key, not every two documents are compared: only the first
/// ones are compared with all.
inline constexpr std::uint32_t kLargestGroup = 64;

/// Limits the memory of a run that sketches may take.
class SketchMemory {
 public:
  explicit SketchMemory(const FinderContext& context)
      : memory_(context.run.memory), method_(context.method) {}

  /// Fails with limit, and names a sufficient budget, if `documents` at `bytes_each` exceed the memory
  /// budget.
  [[nodiscard]] Result<void> check(std::uint64_t documents, std::uint64_t bytes_each) const;

 private:
  const MemoryBudget& memory_;
  std::string_view method_;
};

/// Warns for methods that find every pair of their measure: their time grows with the square of the number of
/// similar texts, and of short texts that share common phrases.
class AllPairsWarning {
 public:
  /// From this number of documents on, a search may take hours.
  static constexpr std::uint64_t kMany = 50'000;

  explicit AllPairsWarning(const FinderContext& context)
      : context_(context.run.context), table_(context.table), method_(context.method) {}

  /// Writes the warning to the context's log, before a search of so many documents.
  void say() const;

 private:
  const Context& context_;
  const DocumentTable& table_;
  std::string_view method_;
};

/// Passes candidates on in batches. For one thread.
class CandidateBatch {
 public:
  explicit CandidateBatch(CandidateSink& sink) : sink_(sink) {}

  /// The documents may be in either order.
  Result<void> add(DocId a, DocId b, double score);
  /// Passes on the rest and has all of it decided. REQUIRED at the end.
  Result<void> finish();
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

 private:
  Result<void> pass_on();

  CandidateSink& sink_;
  std::vector<Candidate> batch_;
  std::uint64_t size_ = 0;
};

}  // namespace leitong
