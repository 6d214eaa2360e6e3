// Threads that work on requests, beside the one that talks to the network.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "leitong/result.hpp"

namespace leitong::server {

/// Starts a thread, which work() runs on. Fails with io where the system allows no more threads or has no
/// memory for one.
[[nodiscard]] Result<std::thread> start_thread(std::function<void()> work);

class Workers {
 public:
  /// Fails as start_thread() does.
  [[nodiscard]] static Result<std::unique_ptr<Workers>> start(unsigned threads);
  /// Waits for all that was posted.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// What work() throws is logged. Throws std::bad_alloc alone.
  void post(std::function<void()> work);
  /// Nothing is at work, and nothing waits.
  [[nodiscard]] bool idle() const;

 private:
  Workers() = default;
  void run();

  mutable std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<std::function<void()>> waiting_;
  unsigned at_work_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace leitong::server
