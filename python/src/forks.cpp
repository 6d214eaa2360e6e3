#include "forks.hpp"

#include <pthread.h>

#include <leitong/fork.hpp>
#include <mutex>
#include <set>
#include <vector>

namespace leitong::python {
namespace {

struct Forks {
  std::mutex mutex;  // held by the thread that forks, so that no run begins meanwhile
  std::set<const Context*> contexts;
  unsigned runs = 0;
  bool is_safe = true;  // for the fork in progress
  bool cut_off = false;
};

Forks& forks() {
  static Forks* const all = new Forks;  // never destroyed, since a process may fork while it ends
  return *all;
}

// These are called within every fork(), so nothing happens between them and the fork.
void before() {
  Forks& all = forks();
  all.mutex.lock();
  const std::vector<const Context*> contexts(all.contexts.begin(), all.contexts.end());
  all.is_safe = all.runs == 0 && !all.cut_off && end_threads(contexts);
}
void in_parent() { forks().mutex.unlock(); }
void in_child() {
  Forks& all = forks();
  all.cut_off = !all.is_safe;
  all.runs = 0;
  all.mutex.unlock();
}

}  // namespace

void watch_forks() {
  forks();
  ::pthread_atfork(before, in_parent, in_child);
}

KnownContext::KnownContext(const Context& context) : context_(context) {
  const std::lock_guard lock(forks().mutex);
  forks().contexts.insert(&context_);
}
KnownContext::~KnownContext() {
  const std::lock_guard lock(forks().mutex);
  forks().contexts.erase(&context_);
}

WorkInProgress::WorkInProgress() {
  const std::lock_guard lock(forks().mutex);
  ++forks().runs;
}
WorkInProgress::~WorkInProgress() {
  const std::lock_guard lock(forks().mutex);
  --forks().runs;
}

bool cut_off() {
  const std::lock_guard lock(forks().mutex);
  return forks().cut_off;
}

}  // namespace leitong::python
