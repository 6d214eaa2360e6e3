// A request to stop, passed down to the work.
#pragma once

#include <atomic>

#include "leitong/result.hpp"

namespace leitong {

/// Tells whether a stop was requested. Code that waits for input, loops over items or is about to put an
/// output in place checks it and returns cancelled. A value: copy it; the flag must outlive it.
class StopToken {
 public:
  /// Never stops.
  constexpr StopToken() noexcept = default;
  constexpr explicit StopToken(const std::atomic<bool>& flag) noexcept : flag_(&flag) {}

  [[nodiscard]] bool stop_requested() const noexcept {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }
  /// Fails with cancelled after a request to stop.
  [[nodiscard]] Result<void> check() const {
    if (stop_requested()) return fail(ErrorCode::cancelled, "stopped");
    return {};
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace leitong
