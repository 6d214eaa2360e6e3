// What the server says of itself: one JSON object a line on standard error, where journald or a supervisor
// takes it. No text, id or token of a request is ever in it.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

namespace leitong::server {

enum class Level : std::uint8_t { info, warning, error };

/// A line that is put together member by member, and written when it ends. Any thread.
class LogLine {
 public:
  LogLine(Level level, std::string_view event);
  ~LogLine();
  LogLine(const LogLine&) = delete;
  LogLine& operator=(const LogLine&) = delete;

  LogLine& text(std::string_view name, std::string_view value);
  LogLine& number(std::string_view name, double value);
  LogLine& count(std::string_view name, std::uint64_t value);

 private:
  std::string line_;
};

/// A line that says no more than that it happened.
inline void log_event(Level level, std::string_view event) { const LogLine line(level, event); }

/// The server goes on after an exception in an operation.
void log_exception(std::string_view operation, const std::exception& error) noexcept;

}  // namespace leitong::server
