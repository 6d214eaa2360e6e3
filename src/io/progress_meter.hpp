// Counts the done part of one stage of a run.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "io/run_context.hpp"

namespace leitong {

/// Reports a stage from loops of any number of threads, about a thousand times in all. Nothing else may
/// report meanwhile.
class ProgressMeter {
 public:
  /// `total` items of the kind `unit`, such as "documents".
  ProgressMeter(const RunContext& run, std::string_view stage, std::uint64_t total, std::string_view unit)
      : run_(run), stage_(stage), unit_(unit), total_(total), step_(total / kReports + 1) {
    run_.report(stage_, 0, total_, unit_);
  }

  /// `items` more are done.
  void add(std::uint64_t items = 1) {
    if (!run_.progress) return;
    const std::uint64_t before = done_.fetch_add(items, std::memory_order_relaxed);
    if (before / step_ == (before + items) / step_) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) run_.report(stage_, done_.load(std::memory_order_relaxed), total_, unit_);
  }

 private:
  static constexpr std::uint64_t kReports = 1000;

  const RunContext& run_;
  std::string_view stage_, unit_;
  std::uint64_t total_, step_;
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
};

}  // namespace leitong
