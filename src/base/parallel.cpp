#include "base/parallel.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

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

}  // namespace leitong
