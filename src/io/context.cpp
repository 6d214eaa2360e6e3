#include "leitong/context.hpp"

#include <tbb/info.h>

#include <utility>

#include "io/run_context.hpp"

namespace leitong {

static_assert(std::atomic<bool>::is_always_lock_free, "request_stop() is called by signal handlers");

Context::State::State(ContextSettings given)
    : settings(std::move(given)),
      arena(settings.threads == 0 ? tbb::info::default_concurrency() : static_cast<int>(settings.threads)) {}

Context::Context(ContextSettings settings) : state_(std::make_unique<State>(std::move(settings))) {}
Context::~Context() = default;

void Context::request_stop() noexcept { state_->stop.store(true, std::memory_order_relaxed); }
bool Context::stop_requested() const noexcept { return state_->stop.load(std::memory_order_relaxed); }
const ContextSettings& Context::settings() const noexcept { return state_->settings; }

RunContext::RunContext(const Context& context)
    : stop(context.state().stop),
      progress(context.settings().progress),
      work(context.settings().work_folder),
      memory(context.settings().memory),
      arena_(context.state().arena) {}

}  // namespace leitong
