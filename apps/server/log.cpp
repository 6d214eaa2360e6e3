#include "log.hpp"

#include <fmt/core.h>
#include <sys/uio.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <iterator>

#include "leitong/json.hpp"

namespace leitong::server {

LogLine::LogLine(Level level, std::string_view event) {
  const auto now = std::chrono::system_clock::now();
  const auto ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  constexpr std::string_view kLevels[] = {"info", "warning", "error"};
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char date[32] = "";
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
  fmt::format_to(std::back_inserter(line_), "{{\"time\":\"{}.{:03}Z\",\"level\":\"{}\",\"event\":\"{}\"",
                 date, ms, kLevels[static_cast<std::size_t>(level)], event);
}

LogLine::~LogLine() {
  // One write for each line, so that the lines of several threads stay whole. If the log is closed, the line
  // is lost.
  char end[] = "}\n";
  const iovec parts[] = {{line_.data(), line_.size()}, {end, 2}};
  [[maybe_unused]] const ssize_t n = ::writev(STDERR_FILENO, parts, 2);
}

LogLine& LogLine::text(std::string_view name, std::string_view value) {
  fmt::format_to(std::back_inserter(line_), ",\"{}\":", name);
  append_json_string(value, line_);
  return *this;
}

LogLine& LogLine::number(std::string_view name, double value) {
  fmt::format_to(std::back_inserter(line_), ",\"{}\":{:.3f}", name, value);
  return *this;
}

LogLine& LogLine::count(std::string_view name, std::uint64_t value) {
  fmt::format_to(std::back_inserter(line_), ",\"{}\":{}", name, value);
  return *this;
}

void log_exception(std::string_view operation, const std::exception& error) noexcept {
  try {
    LogLine(Level::error, "exception").text("operation", operation).text("what", error.what());
  } catch (const std::exception&) {
    // There is no memory for the line either.
  }
}

}  // namespace leitong::server
