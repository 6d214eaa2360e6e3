#include "workers.hpp"

#include <fmt/core.h>

#include <exception>
#include <system_error>
#include <utility>

#include "log.hpp"
#include "problem.hpp"

namespace leitong::server {

Result<std::thread> start_thread(std::function<void()> work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error& error) {
    return fail(ErrorCode::io,
                fmt::format("the server can't start a thread: {}; let its user or its container have more "
                            "processes (ulimit -u, pids.max) and memory",
                            error.code().message()));
  }
}

Result<std::unique_ptr<Workers>> Workers::start(unsigned threads) {
  std::unique_ptr<Workers> workers(new Workers());
  workers->threads_.reserve(threads);
  while (workers->threads_.size() < threads) {
    SERVER_ASSIGN(std::thread thread, start_thread([raw = workers.get()] { raw->run(); }));
    workers->threads_.push_back(std::move(thread));
  }
  return workers;
}

Workers::~Workers() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  posted_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::post(std::function<void()> work) {
  {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(std::move(work));
  }
  posted_.notify_one();
}

bool Workers::idle() const {
  const std::scoped_lock lock(mutex_);
  return at_work_ == 0 && waiting_.empty();
}

void Workers::run() {
  for (std::unique_lock lock(mutex_);;) {
    posted_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    ++at_work_;
    lock.unlock();
    try {
      work();
      work = nullptr;  // destroys what it holds as well
    } catch (const std::exception& error) {
      log_exception("work", error);
    }
    lock.lock();
    --at_work_;
  }
}

}  // namespace leitong::server
