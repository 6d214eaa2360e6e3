// Threads that the library starts itself, beside those of a context.
#pragma once

#include <functional>
#include <system_error>
#include <thread>
#include <utility>

#include "leitong/result.hpp"

namespace leitong {

/// Starts a thread, on which work() runs. Fails with io where the system allows no more threads, or has no memory for
/// one.
[[nodiscard]] inline Result<std::thread> start_thread(std::function<void()> work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error& error) {
    return fail(ErrorCode::io, "can't start a thread: " + error.code().message() +
                                   "; let the process have more threads (ulimit -u, pids.max) and memory");
  }
}

}  // namespace leitong
