// Decides how often and when a server is tried again. A server that never answers is not tried for a while.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/stop.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"

namespace leitong::online {

/// Thread-safe.
class Circuit {
 public:
  /// `server`: its name in messages.
  Circuit(std::string server, const Remote& settings, StopToken stop)
      : server_(std::move(server)), settings_(settings), stop_(stop) {}

  /// Fails with io while the server is not tried, and says for how long.
  [[nodiscard]] Result<void> check() const;

  /// The tries of one call.
  class Tries {
   public:
    explicit Tries(Circuit& circuit) : circuit_(circuit) {}
    /// May the failure of an idle connection be left out of the count? True only once, because a server that
    /// closes one idle connection has closed the others, too.
    [[nodiscard]] bool excuse_idle() noexcept { return !std::exchange(excused_, true); }
    /// Call it after each failure that counts. Waits before the next try, longer each time, unless `wait` is
    /// false. Fails with io when all tries have failed; the server is then not tried for a while. Fails with
    /// cancelled.
    [[nodiscard]] Result<void> again(std::string_view trouble, bool wait = true);

   private:
    Circuit& circuit_;
    bool excused_ = false;
    unsigned failed_ = 0;
    std::chrono::milliseconds pause_{10};
  };

 private:
  using Clock = std::chrono::steady_clock;

  const std::string server_;
  const Remote settings_;
  const StopToken stop_;
  mutable std::mutex mutex_;  // guards what follows
  Clock::time_point closed_until_{};
  std::string last_trouble_;
};

}  // namespace leitong::online
