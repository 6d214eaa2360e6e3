// The wish that the process stop. One flag for all of it, as signals and standard input are the process's.
#pragma once

#include <atomic>

#include "leitong/result.hpp"

namespace leitong {

/// A program sets it, from a signal handler for example. Once it is set, what waits for input, loops over
/// items or is about to put an output in place returns ErrorCode::cancelled instead. Never set by the
/// library.
inline std::atomic<bool>& stop_flag() noexcept {
  static constinit std::atomic<bool> flag{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "set from signal handlers");
  return flag;
}

/// An error once the flag is set.
inline Result<void> check_stop() {
  if (stop_flag().load(std::memory_order_relaxed)) return fail(ErrorCode::cancelled, "stopped");
  return {};
}

}  // namespace leitong
