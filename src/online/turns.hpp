// Serves calls of many threads in groups: calls that arrive during the work form the next group.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "leitong/result.hpp"

namespace leitong::online {

template <class Request>
class Turns {
 public:
  /// `at_work`: number of groups that are served at the same time.
  explicit Turns(unsigned at_work) : at_work_(at_work) {}

  /// Returns when the request was served, by serve(std::span<Request* const>) of this call or of another one;
  /// returns its result.
  template <class Serve>
  Result<void> wait(Request& request, Serve serve) {
    Waiting mine{&request, {}, false};
    std::unique_lock lock(mutex_);
    queue_.push_back(&mine);
    for (;;) {
      over_.wait(lock, [&] { return mine.done || (busy_ < at_work_ && !queue_.empty()); });
      if (mine.done) return std::move(mine.result);
      ++busy_;
      const std::vector<Waiting*> group(queue_.begin(), queue_.end());
      queue_.clear();
      lock.unlock();
      std::vector<Request*> requests;
      requests.reserve(group.size());
      for (const Waiting* one : group) requests.push_back(one->request);
      const Result<void> result = serve(std::span<Request* const>(requests));
      lock.lock();
      --busy_;
      for (Waiting* one : group) {
        one->result = result;
        one->done = true;
      }
      over_.notify_all();
    }
  }

 private:
  struct Waiting {
    Request* request;
    Result<void> result;
    bool done;
  };
  const unsigned at_work_;
  std::mutex mutex_;
  std::condition_variable over_;
  std::deque<Waiting*> queue_;
  unsigned busy_ = 0;
};

}  // namespace leitong::online
