// When a server is tried again: with growing pauses and a limited number of times. A server that never
// answers is left alone for a while.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "base/stop.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"

namespace leitong::online {

/// Thread-safe.
class Circuit {
 public:
  Circuit(const Remote& settings, StopToken stop) : settings_(settings), stop_(stop) {}

  /// Fails with io while the server is left alone, and says for how long. `server`: its name in the message.
  [[nodiscard]] Result<void> check(std::string_view server) const;
  /// Call it when all tries have failed: returns the error and leaves the server alone from now on.
  [[nodiscard]] tl::unexpected<Error> give_up(std::string_view server, std::string_view trouble);

  /// The pauses between the tries of one call.
  class Pauses {
   public:
    explicit Pauses(const Circuit& circuit) : circuit_(circuit) {}
    /// Waits before the next try. Fails with cancelled.
    [[nodiscard]] Result<void> wait();

   private:
    const Circuit& circuit_;
    std::chrono::milliseconds next_{10};
  };

 private:
  using Clock = std::chrono::steady_clock;

  const Remote settings_;
  const StopToken stop_;
  mutable std::mutex mutex_;  // guards what follows
  Clock::time_point closed_until_{};
  std::string last_trouble_;
};

}  // namespace leitong::online
