#include "progress.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "command_context.hpp"
#include "human.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr auto kTick = std::chrono::milliseconds(500);
constexpr double kSettled = 1;  // seconds before a rate is meaningful

std::string amount(double value, std::string_view unit) {
  return unit == "bytes" ? human_bytes(value) : human_count(static_cast<std::uint64_t>(value));
}

}  // namespace

std::string progress_line(const Progress& progress, double seconds, std::optional<double> left) {
  const auto done = static_cast<double>(progress.done), total = static_cast<double>(progress.total);
  std::string line(progress.stage);
  if (progress.total > 0 || progress.done > 0) line += "  " + amount(done, progress.unit);
  if (progress.total > 0) line += " of " + amount(total, progress.unit);
  if (progress.unit != "bytes" && (progress.total > 0 || progress.done > 0))
    line += fmt::format(" {}", progress.unit);
  if (progress.total > 0) line += fmt::format("  {:.0f} %", 100 * std::min(1.0, done / total));
  if (seconds >= kSettled && progress.done > 0)
    line += fmt::format("  {}/s", amount(done / seconds, progress.unit));
  if (left) line += fmt::format("  {} left", human_seconds(*left));
  return line;
}

ProgressDisplay::ProgressDisplay(std::span<const PlannedStage> plan)
    : enabled_(is_terminal(Stream::err) && !is_quiet()), left_(plan) {
  if (enabled_) ticker_ = std::thread([this] { tick(); });
}

ProgressDisplay::~ProgressDisplay() {
  if (ticker_.joinable()) {
    {
      const std::scoped_lock lock(mutex_);
      ended_ = true;
    }
    end_.notify_one();
    ticker_.join();
  }
  if (visible_) clear_status();
}

// A stage that cannot report shows by the time left that the run goes on.
void ProgressDisplay::tick() {
  std::unique_lock lock(mutex_);
  while (!end_.wait_for(lock, kTick, [this] { return ended_; }))
    if (const auto now = Clock::now(); !stage_.empty() && now - shown_ >= kTick) draw(now);
}

void ProgressDisplay::show(const Progress& progress) {
  if (!enabled_) return;
  const std::scoped_lock lock(mutex_);
  const Clock::time_point now = Clock::now();
  const bool new_stage = progress.stage != stage_;
  if (new_stage) {
    stage_ = progress.stage;
    stage_began_ = now;
  } else if (now - shown_ < kInterval) {
    return;
  }
  unit_ = progress.unit;
  last_ = {stage_, progress.done, progress.total, unit_};
  std::optional<double> part;
  if (progress.total > 0) part = static_cast<double>(progress.done) / static_cast<double>(progress.total);
  left_.note(stage_, part, std::chrono::duration<double>(now - began_).count());
  draw(now);
}

void ProgressDisplay::draw(Clock::time_point now) {
  if (told_to_stop().stop_requested()) return;
  shown_ = now;
  std::string line = progress_line(last_, std::chrono::duration<double>(now - stage_began_).count(),
                                   left_.seconds(std::chrono::duration<double>(now - began_).count()));
  // A line that wraps could not be erased.
  line.resize(std::min(line.size(), columns(Stream::err) - 1));
  visible_ = true;
  show_status(line);
}

}  // namespace leitong::cli
