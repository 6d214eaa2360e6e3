// What one run works with, passed down to everything that loops, waits, spills or reports.
#pragma once

#include <tbb/task_arena.h>

#include <atomic>
#include <cstdint>
#include <string_view>

#include "base/memory.hpp"
#include "base/stop.hpp"
#include "io/work_folder.hpp"
#include "leitong/context.hpp"

namespace leitong {

/// What a context holds.
struct Context::State {
  explicit State(ContextSettings given);

  ContextSettings settings;
  std::atomic<bool> stop{false};
  tbb::task_arena arena;
};

/// What a run has from its context, and its own share of memory. Everything that keeps a reference to it must
/// not outlive it, and it must not outlive the context.
struct RunContext {
  explicit RunContext(const Context& context);

  StopToken stop;
  ProgressFn progress;
  WorkFolder work;
  MemoryBudget memory;

  void report(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) const {
    if (progress) progress({stage, done, total, unit});
  }

  /// Returns `body()`, run on the threads of the context.
  template <class Work>
  auto on_threads(Work body) {
    // Isolated: a thread of this run that waits for another one must not begin a second run meanwhile, which
    // would then have to end before the first one can.
    return arena_.execute([&] { return tbb::this_task_arena::isolate(body); });
  }

 private:
  tbb::task_arena& arena_;
};

}  // namespace leitong
