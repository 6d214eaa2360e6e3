// The threads that handle requests, beside the one for the network.
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

/// Starts a thread that runs work(). Fails with io if the system allows no more threads or has no memory for
/// one.
[[nodiscard]] Result<std::thread> start_thread(std::function<void()> work);

class Workers {
 public:
  /// Fails as start_thread() does.
  [[nodiscard]] static Result<std::unique_ptr<Workers>> start(unsigned threads);
  /// Waits for all posted work.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Logs what work() throws. Throws only std::bad_alloc.
  void post(std::function<void()> work);
  /// Is nothing in progress and nothing waiting?
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
