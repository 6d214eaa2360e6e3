// One line of a terminal that is written over and over.
#pragma once

#include <string_view>

namespace leitong::cli {

/// Shows a line on stderr, a terminal, in the place of the last one. Whatever else is said on stderr
/// (terminal.hpp) takes it away. Thread-safe, both.
void show_status(std::string_view line);
void clear_status();

}  // namespace leitong::cli
