// Loops over independent items on the run's threads.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <mutex>
#include <optional>

#include "base/stop.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Calls `body(i, local)` for i in [0, n), in any order, where `local` is one `Local` per thread, made by
/// `make_local()`. The first failure (by index, so that it is the same for any number of threads) is
/// returned; items after it may be left out, as all that are left are after a stop. Runs inside the caller's
/// tbb arena, which is where the number of threads is set.
template <class MakeLocal, class Body>
Result<void> parallel_for_each(StopToken stop, std::size_t n, MakeLocal make_local, Body body) {
  tbb::enumerable_thread_specific<decltype(make_local())> locals(make_local);
  std::mutex mutex;
  std::optional<std::pair<std::size_t, Error>> failure;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n), [&](const tbb::blocked_range<std::size_t>& range) {
    auto& local = locals.local();
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      Result<void> result = stop.check();
      if (result) result = body(i, local);
      if (result) continue;
      const std::scoped_lock lock(mutex);
      if (!failure || i < failure->first) failure.emplace(i, std::move(result).error());
      return;
    }
  });
  if (failure) return tl::unexpected<Error>(std::move(failure->second));
  return {};
}

}  // namespace leitong
