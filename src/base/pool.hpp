// Working space for threads, kept for reuse.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace leitong {

/// Thread-safe. Holds as many as were ever needed at once.
template <class T>
class Pool {
 public:
  /// One of them, during its use.
  class Lease {
   public:
    explicit Lease(Pool& pool) : pool_(&pool), one_(pool.take()) {}
    ~Lease() {
      if (one_ != nullptr) pool_->give(std::move(one_));
    }
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    [[nodiscard]] T& operator*() const noexcept { return *one_; }

   private:
    Pool* pool_;
    std::unique_ptr<T> one_;
  };

 private:
  [[nodiscard]] std::unique_ptr<T> take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) return std::make_unique<T>();
    std::unique_ptr<T> one = std::move(idle_.back());
    idle_.pop_back();
    return one;
  }
  void give(std::unique_ptr<T> one) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(one));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace leitong
