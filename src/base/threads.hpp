// Work on a stated number of threads.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstddef>

namespace leitong {

/// Returns `work()`, run in an arena of `threads` threads (0: as many as there are cores).
template <class Work>
auto on_threads(unsigned threads, Work work) {
  const int count = threads == 0 ? tbb::this_task_arena::max_concurrency() : static_cast<int>(threads);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(count));
  tbb::task_arena arena(count);
  return arena.execute(work);
}

}  // namespace leitong
