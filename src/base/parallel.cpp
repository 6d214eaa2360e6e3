#include "base/parallel.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

namespace leitong {

struct ThreadSlots::Slots {
  tbb::enumerable_thread_specific<void*> of_threads{nullptr};
};

ThreadSlots::ThreadSlots() : slots_(std::make_unique<Slots>()) {}
ThreadSlots::~ThreadSlots() = default;
void*& ThreadSlots::local() { return slots_->of_threads.local(); }

void parallel_for_ranges(std::size_t n, const std::function<void(std::size_t begin, std::size_t end)>& body) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n),
                    [&](const tbb::blocked_range<std::size_t>& range) { body(range.begin(), range.end()); });
}

Result<void> parallel_in_order_ranges(
    std::size_t n, const std::function<Result<void>(std::size_t begin, std::size_t end)>& work,
    const std::function<Result<void>(std::size_t begin, std::size_t end)>& take) {
  // Passing on a range costs about a microsecond; few items wait for the last ranges.
  constexpr std::size_t kItems = 8;
  struct Range {
    std::size_t begin = 0, end = 0;
    Result<void> worked = {};
  };
  Result<void> result;  // of the last stage, which TBB runs on one thread at a time
  std::atomic<bool> failed{false};
  std::size_t next = 0;
  const auto next_range = [&](tbb::flow_control& control) {
    Range range{next, std::min(n, next + kItems)};
    next = range.end;
    if (range.begin == range.end || failed) control.stop();
    return range;
  };
  const auto work_stage = [&](Range range) {
    range.worked = work(range.begin, range.end);
    return range;
  };
  const auto take_stage = [&](const Range& range) {
    if (!result) return;
    result = range.worked;
    if (result) result = take(range.begin, range.end);
    failed = !result;
  };
  const auto tokens = 4 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  tbb::parallel_pipeline(tokens,
                         tbb::make_filter<void, Range>(tbb::filter_mode::serial_in_order, next_range) &
                             tbb::make_filter<Range, Range>(tbb::filter_mode::parallel, work_stage) &
                             tbb::make_filter<Range, void>(tbb::filter_mode::serial_in_order, take_stage));
  return result;
}

}  // namespace leitong
