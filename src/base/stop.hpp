// The wish that a run stop, as it is passed down.
#pragma once

#include <atomic>

#include "leitong/result.hpp"

namespace leitong {

/// Tells whether somebody wants the work to stop. What waits for input, loops over items or is about to put
/// an output in place asks it and returns ErrorCode::cancelled. A value: copy it; the flag must outlive it.
class StopToken {
 public:
  /// Never stops.
  constexpr StopToken() noexcept = default;
  constexpr explicit StopToken(const std::atomic<bool>& flag) noexcept : flag_(&flag) {}

  [[nodiscard]] bool stop_requested() const noexcept {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }
  /// An error once a stop was requested.
  [[nodiscard]] Result<void> check() const {
    if (stop_requested()) return fail(ErrorCode::cancelled, "stopped");
    return {};
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace leitong
