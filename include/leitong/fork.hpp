// For a process that forks: the library's threads end before, and begin anew on both sides.
#pragma once

#include <span>

#include "leitong/context.hpp"

namespace leitong {

/// Ends the worker threads of the library and waits for them: some milliseconds. The next run, in this
/// process or in a child that is forked meanwhile, begins its own. A child that is forked while they live has
/// none of them, but a copy of the locks that they held at that moment: its first run may wait for ever.
///
/// REQUIRES: `contexts` are all contexts of the process, and no run is in progress in any of them, nor begins
/// before the fork. False if threads are left since somebody else in the process uses the same oneTBB; then a
/// child must make no run. What an index or a Deduplicator holds does not follow into a child in any case.
[[nodiscard]] bool end_threads(std::span<const Context* const> contexts) noexcept;

}  // namespace leitong
