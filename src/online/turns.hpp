// Serves calls of many threads in groups: calls that arrive while others are served form the next group.
#pragma once

#include <condition_variable>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "leitong/result.hpp"

namespace leitong::online {

/// A call that waits to be served. The type of a request derives from it.
struct Waiting {
  Result<void> result = {};
  bool done = false;
};

template <class Request>
class Turns {
 public:
  /// `at_once`: number of threads that may have a turn at the same time.
  explicit Turns(unsigned at_once) : at_once_(at_once) {}

  /// The right to work.
  class Turn {
   public:
    explicit Turn(Turns& of) : of_(of) {
      std::unique_lock lock(of_.mutex_);
      of_.changed_.wait(lock, [&] { return of_.at_work_ < of_.at_once_; });
      ++of_.at_work_;
    }
    ~Turn() {
      {
        const std::scoped_lock lock(of_.mutex_);
        --of_.at_work_;
      }
      of_.changed_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    /// Takes the requests that wait by now, in the order of their arrival.
    const std::vector<Request*>& take() {
      const std::scoped_lock lock(of_.mutex_);
      take_waiting();
      return group_;
    }
    /// Answers the requests, so that their calls return. Requests without a failure of their own get this
    /// result.
    void answer(const Result<void>& result) {
      {
        const std::scoped_lock lock(of_.mutex_);
        take_waiting();  // if the work failed before it took them
        for (Request* request : group_) {
          if (request->result) request->result = result;
          request->done = true;
        }
        group_.clear();
      }
      of_.changed_.notify_all();
    }

   private:
    friend class Turns;
    /// REQUIRES that the turn was counted.
    Turn(Turns& of, std::adopt_lock_t) : of_(of) {}

    void take_waiting() {
      if (group_.empty()) group_.swap(of_.queue_);  // swap() needs no memory
    }

    Turns& of_;
    std::vector<Request*> group_;
  };

  /// Returns the result of the request when serve(Turn&), of this call or of another one, has answered it.
  template <class Serve>
  Result<void> wait(Request& request, Serve serve) {
    std::unique_lock lock(mutex_);
    queue_.push_back(&request);
    for (;;) {
      changed_.wait(lock, [&] { return request.done || (at_work_ < at_once_ && !queue_.empty()); });
      if (request.done) return std::move(request.result);
      ++at_work_;
      lock.unlock();
      work(serve);
      lock.lock();
    }
  }

  /// If no thread works and no request waits, serve(Turn&) gets the turn at once and has to answer this
  /// request, which is the first that it takes; otherwise returns false. REQUIRES that one thread works at a
  /// time.
  template <class Serve>
  bool serve_if_free(Request& request, Serve serve) {
    {
      const std::scoped_lock lock(mutex_);
      if (at_work_ > 0 || !queue_.empty()) return false;
      queue_.push_back(&request);
      ++at_work_;
    }
    work(serve);
    return true;
  }

 private:
  // Each request is answered, and the turn ends, even if there is no memory.
  template <class Serve>
  void work(Serve& serve) {
    Turn turn(*this, std::adopt_lock);
    try {
      serve(turn);
    } catch (const std::bad_alloc&) {
      turn.answer(fail(ErrorCode::io, "there is no memory to change the index; try again"));
    }
  }

  const unsigned at_once_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Request*> queue_;
  unsigned at_work_ = 0;
};

}  // namespace leitong::online
