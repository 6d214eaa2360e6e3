// Ends the library's threads before a process forks. Parent and child each start new ones.
#pragma once

#include <span>

#include "leitong/context.hpp"

namespace leitong {

/// Ends the worker threads of the library and waits for this, which takes some milliseconds. The next run, in
/// this process or in a forked child, starts new ones. A child that is forked while worker threads exist has
/// none of them, but a copy of the locks that they held, so that its first run may wait for ever.
///
/// REQUIRES: `contexts` are all contexts of the process, no run is in progress in any of them, and none
/// begins before the fork. Returns false if threads are left because other code in the process uses the same
/// oneTBB; then a child must not start a run. A child cannot use the contents of an index or a Deduplicator
/// in any case.
[[nodiscard]] bool end_threads(std::span<const Context* const> contexts) noexcept;

}  // namespace leitong
