// Threads that the library starts itself, beside those of a context.
#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <functional>
#include <latch>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "leitong/result.hpp"

namespace leitong {

/// Starts a thread that runs work(). Fails with io if the system allows no more threads or has no memory for
/// one.
[[nodiscard]] inline Result<std::thread> start_thread(std::function<void()> work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error& error) {
    return fail(ErrorCode::io,
                fmt::format("can't start a thread: {}; let the process have more threads (ulimit -u, "
                            "pids.max) and memory",
                            error.code().message()));
  }
}

/// How many further threads, up to `most`, can run at once: for libraries that end the process if a thread
/// cannot be started. Some 20 us each.
[[nodiscard]] inline std::size_t threads_to_be_had(std::size_t most) {
  std::latch counted(1);
  std::vector<std::thread> threads;
  threads.reserve(most);
  while (threads.size() < most) {
    auto started = start_thread([&] { counted.wait(); });
    if (!started) break;
    threads.push_back(*std::move(started));
  }
  counted.count_down();
  for (std::thread& thread : threads) thread.join();
  return threads.size();
}

}  // namespace leitong
