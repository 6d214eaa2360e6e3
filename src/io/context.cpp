#include "leitong/context.hpp"

#include <fmt/core.h>
#include <tbb/global_control.h>
#include <tbb/info.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/system.hpp"
#include "io/run_context.hpp"
#include "leitong/fork.hpp"

namespace leitong {

static_assert(std::atomic<bool>::is_always_lock_free, "request_stop() is called by signal handlers");

namespace {

/// The memory of a thread beside the buffers that can spill: two batches and their results, its writers'
/// blocks, a partition that it sorts. Measured at 5 to 7 MB.
constexpr std::uint64_t kBytesPerThread = 8ull << 20;
/// TBB makes a slot for each thread of an arena, and fails silently if there are too many.
constexpr unsigned kMostThreads = 4096;

/// As many as wanted, or as fit in the memory.
int threads_of(const ContextSettings& settings) {
  const int wanted = settings.threads == 0 ? tbb::info::default_concurrency()
                                           : static_cast<int>(std::min(settings.threads, kMostThreads));
  if (settings.memory == 0) return wanted;
  const std::uint64_t room = settings.memory - std::min(settings.memory, MemoryBudget::kFixed);
  const std::uint64_t most = std::max<std::uint64_t>(1, room / kBytesPerThread);
  if (most >= static_cast<std::uint64_t>(wanted)) return wanted;
  if (settings.log)
    settings.log(settings.threads == 0 ? LogLevel::note : LogLevel::warning,
                 fmt::format("the memory budget has room for {} thread{} and not for {}", most,
                             most == 1 ? "" : "s", wanted));
  return static_cast<int>(most);
}

}  // namespace

Context::State::State(ContextSettings given) : settings(std::move(given)), arena(threads_of(settings)) {}

Context::Context(ContextSettings settings) : state_(std::make_unique<State>(std::move(settings))) {}
Context::~Context() = default;

void Context::request_stop() noexcept { state_->stop.store(true, std::memory_order_relaxed); }
bool Context::stop_requested() const noexcept { return state_->stop.load(std::memory_order_relaxed); }
const ContextSettings& Context::settings() const noexcept { return state_->settings; }

bool end_threads(std::span<const Context* const> contexts) noexcept {
  // An arena keeps its workers; the next run makes it again.
  for (const Context* const context : contexts) context->state().arena.terminate();
  tbb::task_scheduler_handle workers{tbb::attach{}};
  return tbb::finalize(workers, std::nothrow);
}

RunContext::RunContext(const Context& of, std::uint64_t memory_limit)
    : context(of),
      stop(of.state().stop),
      progress(of.settings().progress),
      work(of.settings().work_folder),
      memory(memory_limit, memory_limit == 0 ? system::available_memory() : UINT64_MAX) {}

}  // namespace leitong
