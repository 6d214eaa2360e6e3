#include "session.hpp"

#include <nanobind/stl/string.h>

#include <chrono>

namespace nb = nanobind;

namespace leitong::python {

namespace {
/// The interval at which the waiting thread checks for signals: a part of the tenth of a second within which
/// Ctrl-C has to end a call.
constexpr std::chrono::milliseconds kBetweenLooks{20};
}  // namespace

Session::Session(unsigned threads, std::uint64_t memory, const std::string& work_folder,
                 const std::string& data_folder, nb::object progress, nb::object log)
    : progress_(std::move(progress)),
      log_(std::move(log)),
      context_({.threads = threads,
                .memory = memory,
                .work_folder = work_folder,
                .data_folder = data_folder,
                .progress = progress_.is_none() ? ProgressFn() :
                                                [this](const Progress& now) {
                                                  const std::lock_guard lock(mutex_);
                                                  step_ = Step{std::string(now.stage), std::string(now.unit),
                                                               now.done, now.total};
                                                },
                .log = log_.is_none() ? LogFn() : [this](LogLevel level, std::string_view message) {
                  const std::lock_guard lock(mutex_);
                  messages_.emplace_back(level == LogLevel::warning, message);
                }}) {}

void Session::refuse_in_a_fork() const {
  if (!is_of_this_process())
    refuse(ErrorCode::unsupported,
           "this object was made before the process was forked, and does not follow it; make it anew in the "
           "child process");
  if (cut_off())
    refuse(
        ErrorCode::unsupported,
        "the process was forked while leitong was at work in another thread of it, so that a run might never "
        "end; fork when no call is in progress, or start processes by \"spawn\" or \"forkserver\"");
}

void Session::deliver() {
  std::optional<Step> step;
  std::vector<std::pair<bool, std::string>> messages;
  {
    const std::lock_guard lock(mutex_);
    std::swap(step, step_);
    std::swap(messages, messages_);
  }
  for (const auto& [warning, message] : messages) log_(warning, message);
  if (step) progress_(step->stage, step->done, step->total, step->unit);
}

void Session::wait_for(const std::function<void()>& work) {
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::thread worker([&] {
    work();
    // Under the lock, since this function returns, and its variables are destroyed, as soon as the other
    // thread sees `done`.
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_one();
  });
  std::exception_ptr raised;
  for (bool last = false; !last;) {
    {
      const nb::gil_scoped_release others_may_run;
      std::unique_lock lock(mutex);
      last = ended.wait_for(lock, kBetweenLooks, [&] { return done; });
    }
    if (raised) continue;
    try {
      deliver();
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    } catch (const nb::python_error&) {
      raised = std::current_exception();
      context_.request_stop();
    }
  }
  worker.join();
  if (raised) std::rethrow_exception(raised);
}

void bind_session(nb::module_& module) {
  nb::class_<Session>(module, "Session", "Threads, memory, folders and messages of one call.")
      .def(
          nb::init<unsigned, std::uint64_t, const std::string&, const std::string&, nb::object, nb::object>(),
          nb::arg("threads"), nb::arg("memory"), nb::arg("work_folder"), nb::arg("data_folder"),
          nb::arg("progress").none(), nb::arg("log").none());
}

}  // namespace leitong::python
