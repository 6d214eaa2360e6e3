// One Context of the library for one call from Python, or for one object that lives longer. While the library
// works, the calling thread waits without the interpreter's lock, checks for signals and passes messages on.
#pragma once

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <leitong/context.hpp>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "failure.hpp"
#include "forks.hpp"

namespace leitong::python {

/// Bound as leitong._leitong.Session. Callables are called only by the waiting thread, so they may raise
/// exceptions: then the run is stopped and the exception is passed on.
class Session {
 public:
  /// `progress` is None or callable(stage, done, total, unit), `log` is None or callable(is_warning,
  /// message).
  Session(unsigned threads, std::uint64_t memory, const std::string& work_folder,
          const std::string& data_folder, nanobind::object progress, nanobind::object log);

  [[nodiscard]] const Context& context() const noexcept { return context_; }
  /// False in a child process that was forked after this object was made.
  [[nodiscard]] bool is_of_this_process() const noexcept { return getpid() == process_; }

  /// Calls `work`, which must not touch Python, in a thread of its own and waits for it. The interpreter's
  /// lock is held at the call and at the return. Ctrl-C and exceptions of callables stop the context; both
  /// are raised here once the work has ended.
  template <class Work>
  auto run(Work&& work) {
    refuse_in_a_fork();
    const WorkInProgress working;
    std::optional<decltype(work())> result;
    std::exception_ptr thrown;
    wait_for([&] {
      try {
        result.emplace(work());
      } catch (...) {
        thrown = std::current_exception();
      }
    });
    if (thrown) std::rethrow_exception(thrown);
    return take(*std::move(result));
  }

  /// Does the same in the calling thread, for work that takes less time than starting another thread. Ctrl-C
  /// waits for it.
  template <class Work>
  auto run_here(Work&& work) {
    refuse_in_a_fork();
    const WorkInProgress working;
    auto result = [&] {
      const nanobind::gil_scoped_release others_may_run;
      return work();
    }();
    return take(std::move(result));
  }

 private:
  void refuse_in_a_fork() const;

  struct Step {
    std::string stage, unit;
    std::uint64_t done = 0, total = 0;
  };

  void wait_for(const std::function<void()>& work);
  void deliver();

  const pid_t process_ = getpid();
  nanobind::object progress_, log_;
  std::mutex mutex_;  // guards the two members below
  std::optional<Step> step_;
  std::vector<std::pair<bool, std::string>> messages_;
  Context context_;
  const KnownContext known_{context_};
};

void bind_session(nanobind::module_& module);

}  // namespace leitong::python
