#include "io/arena.hpp"

#include <tbb/task_arena.h>

namespace leitong {

struct Arena::Threads {
  explicit Threads(int count) : arena(count) {}
  tbb::task_arena arena;
};

Arena::Arena(int threads) : threads_(std::make_unique<Threads>(threads)) {}
Arena::~Arena() = default;

void Arena::execute(const std::function<void()>& work) {
  threads_->arena.execute([&] { tbb::this_task_arena::isolate(work); });
}

void Arena::terminate() { threads_->arena.terminate(); }

std::size_t threads_here() noexcept {
  return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
}

}  // namespace leitong
