// What the two output streams are, and how messages look on them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong::cli {

enum class Stream { out = 1, err = 2 };

[[nodiscard]] bool is_terminal(Stream stream) noexcept;
/// Columns of the terminal; 80 where there is none.
[[nodiscard]] std::size_t columns(Stream stream) noexcept;

/// How text is set off. Empty strings unless the stream is a terminal that shows colour and NO_COLOR is unset
/// or empty.
struct Style {
  std::string_view bold, dim, red, green, yellow, reset;
};
[[nodiscard]] Style style_of(Stream stream) noexcept;

// In messages only line feeds and tabs act; control characters and what isn't UTF-8 are shown by stand-ins.

/// `leitong: message` on stderr.
void print_error(std::string_view message);
/// `leitong: warning: message` on stderr.
void print_warning(std::string_view message);
/// A line on stderr without more; nothing after set_quiet().
void print_note(std::string_view message);
/// From now on only warnings and errors are said: no notes, no progress.
void set_quiet() noexcept;
[[nodiscard]] bool is_quiet() noexcept;
/// A text of ours on stderr as it is, with its Style.
void print_styled(std::string_view text);

/// Writes data to stdout; a full disk or a closed pipe is an error.
Result<void> print_data(std::string_view bytes);

}  // namespace leitong::cli
