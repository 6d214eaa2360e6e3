// One line of a terminal that is overwritten again and again.
#pragma once

#include <string_view>

namespace leitong::cli {

/// Replaces the line on stderr, a terminal. Any other message on stderr (terminal.hpp) erases it. Both are
/// thread-safe.
void show_status(std::string_view line);
void clear_status();

}  // namespace leitong::cli
