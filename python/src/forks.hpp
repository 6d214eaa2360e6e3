// Lets a process that used the library fork: what has to happen before a fork, and what a child may do.
#pragma once

#include <leitong/context.hpp>

namespace leitong::python {

/// Called once, when the module is made.
void watch_forks();

/// Registers a context while it exists.
class KnownContext {
 public:
  explicit KnownContext(const Context& context);
  ~KnownContext();
  KnownContext(const KnownContext&) = delete;
  KnownContext& operator=(const KnownContext&) = delete;

 private:
  const Context& context_;
};

/// Exists while the library works. A fork does not wait for this, so its child cannot use the library
/// (cut_off()).
class WorkInProgress {
 public:
  WorkInProgress();
  ~WorkInProgress();
  WorkInProgress(const WorkInProgress&) = delete;
  WorkInProgress& operator=(const WorkInProgress&) = delete;
};

/// True if this process was forked while threads of the library held locks. The copies of these are never
/// released, so a run might not end.
[[nodiscard]] bool cut_off();

}  // namespace leitong::python
