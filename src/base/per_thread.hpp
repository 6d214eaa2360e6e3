// One value for each thread that uses it.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "leitong/result.hpp"

namespace leitong {

/// A pointer for each thread, initially null.
class ThreadSlots {
 public:
  ThreadSlots();
  ~ThreadSlots();
  ThreadSlots(const ThreadSlots&) = delete;
  ThreadSlots& operator=(const ThreadSlots&) = delete;

  [[nodiscard]] void*& local();

 private:
  struct Slots;
  std::unique_ptr<Slots> slots_;
};

/// The values of all threads; `make()` makes each at its thread's first access.
template <class T>
class PerThread {
 public:
  explicit PerThread(std::function<T()> make) : make_(std::move(make)) {}

  [[nodiscard]] T& local() {
    void*& slot = slots_.local();
    if (slot == nullptr) slot = &add(std::unique_ptr<T>(new T(make_())));  // T need not be movable
    return *static_cast<T*>(slot);
  }

  /// Calls `each(value)` for all values, in the order in which they were made, until the first failure.
  /// REQUIRES that no thread accesses its value meanwhile.
  template <class Each>
  Result<void> for_each(Each each) {
    for (const std::unique_ptr<T>& value : values_)
      if (Result<void> result = each(*value); !result) return result;
    return {};
  }

 private:
  T& add(std::unique_ptr<T> value) {
    const std::scoped_lock lock(mutex_);
    return *values_.emplace_back(std::move(value));
  }

  std::function<T()> make_;
  ThreadSlots slots_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> values_;
};

}  // namespace leitong
