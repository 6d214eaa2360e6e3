// Ctrl-C, SIGTERM and closed pipes.
#pragma once

#include <atomic>

namespace leitong::cli {

/// The first SIGINT or SIGTERM sets stop_flag() and says so on stderr; the second leaves at once with code
/// 130. A closed pipe sets it too, silently: the run cleans up and ends without a word.
void install_signal_handlers();

[[nodiscard]] const std::atomic<bool>& stop_flag() noexcept;
[[nodiscard]] bool pipe_closed() noexcept;

}  // namespace leitong::cli
