// The server's log: one JSON object a line on standard error, for journald or a supervisor. It never holds a
// text, id or token of a request.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

namespace leitong::server {

enum class Level : std::uint8_t { info, warning, error };

/// A line that is made member by member, and written by the destructor. Any thread.
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

inline void log_event(Level level, std::string_view event) { const LogLine line(level, event); }

/// Logs an exception in an operation; the server continues.
void log_exception(std::string_view operation, const std::exception& error) noexcept;

}  // namespace leitong::server
