// The items of benchmarks, read from files and ready to be looked for.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/run_context.hpp"
#include "leaks/answer.hpp"
#include "leaks/item_finder.hpp"
#include "leitong/decontaminate.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A record of a benchmark.
struct BenchmarkItem {
  std::string id;
  std::uint32_t file = 0;  ///< its number among the files
  Answers answers;         ///< none if the benchmark has no fields of answers
  std::string text = {};   ///< its question, if a report is written; so its answers
  std::vector<std::string> answer_texts = {};
};

/// All items, and where they came from.
struct Benchmark {
  std::unique_ptr<ItemFinder> finder;
  std::vector<BenchmarkItem> items;
  /// The items of each number that the finder gives. Equal items have one number.
  std::vector<std::vector<std::uint32_t>> numbered;
  std::vector<BenchmarkFigures> files;  ///< with `items` and `too_short` counted
  std::uint64_t quarantined = 0, truncated_inputs = 0;
  std::string first_quarantined;

  explicit Benchmark(const LeakSettings& settings);
  /// Adds an item; false if its text is too short to be looked for.
  bool add(BenchmarkItem item, std::string_view text);
  /// To be called once, after the last item. Fails with invalid_argument if nothing can be looked for.
  Result<void> build();
};

/// Reads DecontaminateJob::against by its settings. Fails as decontaminate_files().
Result<Benchmark> read_benchmark(const DecontaminateJob& job, const RunContext& run);

}  // namespace leitong
