// The two output streams, and the form of messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong::cli {

enum class Stream { out = 1, err = 2 };

[[nodiscard]] bool is_terminal(Stream stream) noexcept;
/// Columns of the terminal; 80 if there is none.
[[nodiscard]] std::size_t columns(Stream stream) noexcept;

/// How text is highlighted. Empty strings unless the stream is a terminal with colour and NO_COLOR is unset
/// or empty.
struct Style {
  std::string_view bold, dim, red, green, yellow, reset;
};
[[nodiscard]] Style style_of(Stream stream) noexcept;

// In messages only line feeds and tabs have an effect; control characters and bytes that are not UTF-8 appear
// as visible replacements.

/// `leitong: message` on stderr.
void print_error(std::string_view message);
/// `leitong: warning: message` on stderr.
void print_warning(std::string_view message);
/// An unadorned line on stderr; nothing after set_quiet().
void print_note(std::string_view message);
/// From now on only warnings and errors are printed: no notes, no progress.
void set_quiet() noexcept;
[[nodiscard]] bool is_quiet() noexcept;
/// Prints our own text with its Style to stderr, unchanged.
void print_styled(std::string_view text);

/// Writes data to stdout; a full disk or a closed pipe is an error.
Result<void> print_data(std::string_view bytes);

/// Shows one line on stderr, a terminal, in place of the one that was shown before. Any other message on
/// stderr erases it. Both functions are thread-safe.
void show_status(std::string_view line);
void clear_status();

}  // namespace leitong::cli
