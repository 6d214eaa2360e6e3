// Ctrl-C, SIGTERM and closed pipes.
#pragma once

namespace leitong::cli {

/// The first SIGINT or SIGTERM sets stop_flag() (base/stop.hpp) and says so on stderr; the second leaves at
/// once with code 130. A closed pipe sets it too, silently: the run cleans up and ends without a word.
void install_signal_handlers();

[[nodiscard]] bool pipe_closed() noexcept;

}  // namespace leitong::cli
