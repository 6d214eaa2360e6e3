// Loops over independent items on the run's threads.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "base/per_thread.hpp"
#include "base/stop.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Calls `body(begin, end)` for ranges that together are [0, n), in any order, on the threads of the caller's
/// arena, which sets their number.
void parallel_for_ranges(std::size_t n, const std::function<void(std::size_t begin, std::size_t end)>& body);

/// Calls `body(i, local)` for i in [0, n), in any order; `local` is one `Local` for each thread, made by
/// `make_local()`. Returns the first failure by index, so that it is the same for any number of threads.
/// Items after a failure may be left out; after a stop all remaining items are. Runs inside the caller's
/// arena.
template <class MakeLocal, class Body>
Result<void> parallel_for_each(StopToken stop, std::size_t n, MakeLocal make_local, Body body) {
  PerThread<decltype(make_local())> locals(std::move(make_local));
  std::mutex mutex;
  std::optional<std::pair<std::size_t, Error>> failure;
  parallel_for_ranges(n, [&](std::size_t begin, std::size_t end) {
    auto& local = locals.local();
    for (std::size_t i = begin; i < end; ++i) {
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

/// The same without a value for each thread: calls `body(i)`.
template <class Body>
Result<void> parallel_for_each(StopToken stop, std::size_t n, Body body) {
  return parallel_for_each(
      stop, n, [] { return 0; }, [&](std::size_t i, int) { return body(i); });
}

/// Calls `work(begin, end)` for ranges that together are [0, n) as parallel_for_ranges() does, and
/// `take(begin, end)` for them in their order, one at a time, each as soon as its work is done and the
/// earlier ones were taken. Returns the first failure in this order, and takes nothing from there on.
Result<void> parallel_in_order_ranges(
    std::size_t n, const std::function<Result<void>(std::size_t begin, std::size_t end)>& work,
    const std::function<Result<void>(std::size_t begin, std::size_t end)>& take);

/// The same item by item, with one `Local` for each thread as parallel_for_each(): `work(i, local)` in any
/// order, then `take(i)` in order. Fails with cancelled after a stop.
template <class MakeLocal, class Work, class Take>
Result<void> parallel_in_order(StopToken stop, std::size_t n, MakeLocal make_local, Work work, Take take) {
  PerThread<decltype(make_local())> locals(std::move(make_local));
  const auto each = [stop](std::size_t begin, std::size_t end, const auto& body) {
    Result<void> result;
    for (std::size_t i = begin; i < end && result; ++i) {
      result = stop.check();
      if (result) result = body(i);
    }
    return result;
  };
  return parallel_in_order_ranges(
      n,
      [&](std::size_t begin, std::size_t end) {
        auto& local = locals.local();
        return each(begin, end, [&](std::size_t i) { return work(i, local); });
      },
      [&](std::size_t begin, std::size_t end) { return each(begin, end, take); });
}

}  // namespace leitong
