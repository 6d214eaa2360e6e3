#include "progress.hpp"

#include <fmt/core.h>

#include "command_context.hpp"
#include "human.hpp"
#include "status_line.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr double kSettled = 1;  // seconds before a rate is meaningful

std::string amount(double value, std::string_view unit) {
  return unit == "bytes" ? human_bytes(value) : human_count(static_cast<std::uint64_t>(value));
}

}  // namespace

std::string progress_line(const Progress& progress, double seconds) {
  const auto done = static_cast<double>(progress.done), total = static_cast<double>(progress.total);
  std::string line = fmt::format("{}  {}", progress.stage, amount(done, progress.unit));
  if (progress.total > 0) line += " of " + amount(total, progress.unit);
  if (progress.unit != "bytes") line += fmt::format(" {}", progress.unit);
  if (progress.total > 0) line += fmt::format("  {:.0f} %", 100 * std::min(1.0, done / total));
  if (seconds < kSettled || progress.done == 0) return line;
  const double rate = done / seconds;
  line += fmt::format("  {}/s", amount(rate, progress.unit));
  if (total > done) line += fmt::format("  {} left", human_seconds((total - done) / rate));
  return line;
}

ProgressDisplay::ProgressDisplay() : enabled_(is_terminal(Stream::err) && !is_quiet()) {}

ProgressDisplay::~ProgressDisplay() {
  if (visible_) clear_status();
}

void ProgressDisplay::show(const Progress& progress) {
  if (!enabled_ || told_to_stop().stop_requested()) return;
  const std::scoped_lock lock(mutex_);
  const Clock::time_point now = Clock::now();
  const bool new_stage = progress.stage != stage_;
  if (new_stage) {
    stage_ = progress.stage;
    stage_began_ = now;
  } else if (now - shown_ < kInterval) {
    return;
  }
  shown_ = now;
  std::string line = progress_line(progress, std::chrono::duration<double>(now - stage_began_).count());
  // A line that wraps could not be erased.
  line.resize(std::min(line.size(), columns(Stream::err) - 1));
  visible_ = true;
  show_status(line);
}

}  // namespace leitong::cli
