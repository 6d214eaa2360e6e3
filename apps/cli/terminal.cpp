#include "terminal.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/try.hpp"
#include "command_context.hpp"
#include "report/escape.hpp"

namespace leitong::cli {
namespace {

bool quiet = false;  // of this process, like its standard error

int descriptor(Stream stream) noexcept { return stream == Stream::out ? STDOUT_FILENO : STDERR_FILENO; }

/// Writes everything, or as much as possible: a stop may interrupt a slow reader. An error of a message
/// cannot be reported.
bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
    if (!bytes.empty() && told_to_stop().stop_requested()) return false;
  }
  return true;
}

constexpr std::string_view kEraseLine = "\r\033[K";
std::mutex status_mutex;
bool status_is_shown = false;

/// Prints whole lines to stderr, and first erases the status line.
void print_lines(std::string lines) {
  const std::scoped_lock lock(status_mutex);
  if (std::exchange(status_is_shown, false)) lines.insert(0, kEraseLine);
  write_all(STDERR_FILENO, lines);
}

/// Names and data in a message may hold any bytes.
void print_message(std::string line, std::string_view message) {
  append_terminal_safe(message, line);
  print_lines(line + '\n');
}

}  // namespace

bool is_terminal(Stream stream) noexcept { return ::isatty(descriptor(stream)) == 1; }

std::size_t columns(Stream stream) noexcept {
  winsize size{};
  if (::ioctl(descriptor(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

Style style_of(Stream stream) noexcept {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool wanted = no_color == nullptr || *no_color == '\0';
  const bool able = term != nullptr && std::strcmp(term, "dumb") != 0;
  if (!wanted || !able || !is_terminal(stream)) return {};
  return {"\033[1m", "\033[2m", "\033[31m", "\033[32m", "\033[33m", "\033[0m"};
}

void print_error(std::string_view message) {
  const Style style = style_of(Stream::err);
  print_message(fmt::format("{}{}leitong:{} ", style.bold, style.red, style.reset), message);
}

void print_warning(std::string_view message) {
  const Style style = style_of(Stream::err);
  print_message(fmt::format("leitong: {}warning:{} ", style.yellow, style.reset), message);
}

void print_note(std::string_view message) {
  if (!is_quiet()) print_message("", message);
}

void set_quiet() noexcept { quiet = true; }
bool is_quiet() noexcept { return quiet; }

void print_styled(std::string_view text) { print_lines(std::string(text) + "\n"); }

void show_status(std::string_view line) {
  const std::scoped_lock lock(status_mutex);
  status_is_shown = true;
  write_all(STDERR_FILENO, std::string(kEraseLine).append(line));
}

void clear_status() { print_lines({}); }

Result<void> print_data(std::string_view bytes) {
  LEITONG_TRY(told_to_stop().check());
  if (!write_all(STDOUT_FILENO, bytes))
    return fail(ErrorCode::io, fmt::format("standard output: {}", std::strerror(errno)));
  return {};
}

}  // namespace leitong::cli
