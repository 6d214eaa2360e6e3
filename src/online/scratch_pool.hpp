// Working space of threads that come and go: kept for the next one.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "online/check_text.hpp"

namespace leitong::online {

class ScratchPool {
 public:
  /// One of them, for as long as it is needed.
  class Lease {
   public:
    explicit Lease(ScratchPool& pool) : pool_(&pool), scratch_(pool.take()) {}
    ~Lease() {
      if (scratch_ != nullptr) pool_->give(std::move(scratch_));
    }
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    [[nodiscard]] CheckScratch& operator*() const noexcept { return *scratch_; }

   private:
    ScratchPool* pool_;
    std::unique_ptr<CheckScratch> scratch_;
  };

 private:
  [[nodiscard]] std::unique_ptr<CheckScratch> take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) return std::make_unique<CheckScratch>();
    std::unique_ptr<CheckScratch> scratch = std::move(idle_.back());
    idle_.pop_back();
    return scratch;
  }
  void give(std::unique_ptr<CheckScratch> scratch) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(scratch));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<CheckScratch>> idle_;
};

}  // namespace leitong::online
