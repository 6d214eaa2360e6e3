// One line on the terminal that shows the progress of a run.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "base/time_left.hpp"
#include "leitong/context.hpp"

namespace leitong::cli {

/// The line for one report: stage, amount, share, rate `seconds` after the stage began, and what the whole
/// run will still take, in seconds.
[[nodiscard]] std::string progress_line(const Progress& progress, double seconds, std::optional<double> left);

/// Shows it on stderr if that is a terminal, at most ten times a second, and twice a second if no report
/// comes; the line vanishes with the object. Thread-safe.
class ProgressDisplay {
 public:
  /// `plan`: the stages of the whole run; empty: the time left is that of the present stage.
  explicit ProgressDisplay(std::span<const PlannedStage> plan = {});
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void show(const Progress& progress);
  [[nodiscard]] ProgressFn callback() {
    return [this](const Progress& progress) { show(progress); };
  }

 private:
  using Clock = std::chrono::steady_clock;
  void draw(Clock::time_point now);
  void tick();

  const bool enabled_;
  std::mutex mutex_;
  TimeLeft left_;
  std::string stage_, unit_;
  Progress last_;  // its views are stage_ and unit_
  Clock::time_point began_ = Clock::now(), stage_began_, shown_;
  bool visible_ = false, ended_ = false;
  std::condition_variable end_;
  std::thread ticker_;
};

}  // namespace leitong::cli
