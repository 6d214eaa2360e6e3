// A process that used the library may fork: what has to happen before, and what a child may do.
#pragma once

#include <leitong/context.hpp>

namespace leitong::python {

/// Once, when the module is made.
void watch_forks();

/// A context that lives.
class KnownContext {
 public:
  explicit KnownContext(const Context& context);
  ~KnownContext();
  KnownContext(const KnownContext&) = delete;
  KnownContext& operator=(const KnownContext&) = delete;

 private:
  const Context& context_;
};

/// The library works. A fork does not wait for it, so its child gets no library (cut_off()).
class WorkInProgress {
 public:
  WorkInProgress();
  ~WorkInProgress();
  WorkInProgress(const WorkInProgress&) = delete;
  WorkInProgress& operator=(const WorkInProgress&) = delete;
};

/// Was this process forked while threads of the library held locks, of which it has a copy for ever? Then a
/// run might not end.
[[nodiscard]] bool cut_off();

}  // namespace leitong::python
