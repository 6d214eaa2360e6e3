// One line on the terminal that shows the progress of a run.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "leitong/context.hpp"

namespace leitong::cli {

/// The line for one report: stage, amount, share, rate and time left, `seconds` after the stage began.
[[nodiscard]] std::string progress_line(const Progress& progress, double seconds);

/// Shows it on stderr if that is a terminal, at most ten times a second; the line vanishes with the object.
/// Thread-safe.
class ProgressDisplay {
 public:
  ProgressDisplay();
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void show(const Progress& progress);
  [[nodiscard]] ProgressFn callback() {
    return [this](const Progress& progress) { show(progress); };
  }

 private:
  using Clock = std::chrono::steady_clock;
  const bool enabled_;
  std::mutex mutex_;
  std::string stage_;
  Clock::time_point stage_began_, shown_;
  bool visible_ = false;
};

}  // namespace leitong::cli
