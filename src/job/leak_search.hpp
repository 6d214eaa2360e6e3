// Looks for the items of a benchmark in documents, and says what is a leak.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/pair.hpp"
#include "corpus/documents.hpp"
#include "io/run_context.hpp"
#include "job/benchmark.hpp"
#include "leitong/byte_range.hpp"
#include "leitong/decontaminate.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// An item in a document.
struct LeakHit {
  DocId document = 0;
  std::uint32_t item = 0;
  float share = 0;
  bool equal = false;
  bool answered = false;  ///< an answer stands near, or none is known
  ByteRange place = {};
};

/// Fails with invalid_argument for impossible settings.
Result<void> check_leak_settings(const LeakSettings& settings);

/// The hits of all documents of a source.
class LeakSearch {
 public:
  /// The benchmark is built and outlives this, and so does the run.
  LeakSearch(const Benchmark& benchmark, const LeakSettings& settings, const RunContext& run)
      : benchmark_(benchmark), common_(settings.common), run_(run) {}

  /// Streams the source to its end.
  Result<void> find(DocumentSource& source);

  /// By document and item.
  [[nodiscard]] const std::vector<LeakHit>& hits() const noexcept { return hits_; }
  /// How many documents hold an item.
  [[nodiscard]] std::uint64_t documents_of(std::uint32_t item) const { return documents_of_[item]; }
  [[nodiscard]] bool is_leak(const LeakHit& hit) const {
    return hit.answered && documents_of_[hit.item] <= common_;
  }
  /// Why a hit is a doubt; empty for a leak.
  [[nodiscard]] std::string why_doubtful(const LeakHit& hit) const;

 private:
  const Benchmark& benchmark_;
  std::uint64_t common_;
  const RunContext& run_;
  std::vector<LeakHit> hits_;
  std::vector<std::uint64_t> documents_of_;  // of each item
};

}  // namespace leitong
