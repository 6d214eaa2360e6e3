// What a run uses, passed to everything that loops, waits, spills or reports.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <utility>

#include "base/memory.hpp"
#include "base/stop.hpp"
#include "io/arena.hpp"
#include "io/work_folder.hpp"
#include "leitong/context.hpp"

namespace leitong {

/// The contents of a context.
struct Context::State {
  explicit State(ContextSettings given);

  /// The only T of this context, made by `make()` (a shared_ptr<T>) at first use; for what higher layers keep
  /// open between runs.
  template <class T, class Make>
  T& shared(Make make) {
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<void>& slot = shared_[typeid(T)];
    if (!slot) slot = make();
    return *static_cast<T*>(slot.get());
  }

  ContextSettings settings;
  std::atomic<bool> stop{false};
  Arena arena;

 private:
  std::mutex mutex_;
  std::unordered_map<std::type_index, std::shared_ptr<void>> shared_;
};

/// Returns `work()`, which runs on the threads of the context.
template <class Work>
auto on_threads(const Context& context, Work work) {
  if constexpr (std::is_void_v<decltype(work())>) {
    context.state().arena.execute(work);
  } else {
    std::optional<decltype(work())> result;
    context.state().arena.execute([&] { result.emplace(work()); });
    return *std::move(result);
  }
}

/// What a run gets from its context, and its own memory budget. Everything that keeps a reference to it must
/// not outlive it, and it must not outlive the context.
struct RunContext {
  explicit RunContext(const Context& of) : RunContext(of, of.settings().memory) {}
  /// With another budget than the context's.
  RunContext(const Context& of, std::uint64_t memory_limit);

  const Context& context;
  StopToken stop;
  ProgressFn progress;
  WorkFolder work;
  MemoryBudget memory;

  void report(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) const {
    if (progress) progress({stage, done, total, unit});
  }
};

}  // namespace leitong
