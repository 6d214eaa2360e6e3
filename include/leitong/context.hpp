// What runs share: threads, a request to stop, progress, memory, folders and messages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace leitong {

/// One stage of a run, for display. `total` is 0 where it is unknown.
struct Progress {
  std::string_view stage;   ///< "reading", "verifying", "writing", ..; valid during the call
  std::uint64_t done = 0;   ///< the finished part of the stage, in `unit`
  std::uint64_t total = 0;  ///< 0 where it is unknown
  std::string_view unit;    ///< "bytes", "pairs", "documents", "words", or "parts of" something
};
/// Receives the progress of one run. Any thread of the run calls it, one at a time, a few times a second or
/// more often. It should return soon and must not throw. It may call Context::request_stop().
using ProgressFn = std::function<void(const Progress&)>;

enum class LogLevel {
  note,     ///< worth knowing
  warning,  ///< the result is right, but it differs from what was asked for, or took longer
};
/// Takes one message, a sentence without a line end. It is called like ProgressFn.
using LogFn = std::function<void(LogLevel level, std::string_view message)>;

/// The settings of a context. The defaults suit most programs.
struct ContextSettings {
  /// The number of threads of a run; 0: one for each core that the process may use. No result depends on it.
  /// More threads than cores help only if the host raises TBB's own limit (tbb::global_control). The most is
  /// 4,096.
  unsigned threads = 0;
  /// The bytes that each run may hold in memory before it uses the work folder; 0: a budget that grows with
  /// the input. A run that needs more than this fails with ErrorCode::limit and names the least. If the
  /// budget has no room for the working space of all threads, fewer threads are used, and `log` receives a
  /// note.
  std::uint64_t memory = 0;
  /// The folder for what the memory has no room for, in nameless files that vanish with the process. It is
  /// made if missing. Empty: the system's folder for temporary files.
  std::filesystem::path work_folder = {};
  /// The folder of the dictionaries (dict/jieba.dict.utf8 and others). Empty: the environment variable
  /// LEITONG_DATA; if that is not set, ../share/leitong relative to the program, then the source tree of the
  /// library.
  std::filesystem::path data_folder = {};
  ProgressFn progress = {};  ///< may be empty
  LogFn log = {};            ///< may be empty
};

/// Create one context and pass it to every run: it holds the threads, and the dictionaries after their first
/// use. The library has no other state, so runs in different contexts share nothing.
///
/// Any number of runs, from any threads of the host, may use one context at once. Runs in one context share
/// its threads, and a stop ends all of them. All member functions may be called from any thread at any time.
/// A context does not limit the host's own TBB loops.
///
/// The context must outlive its runs, and everything that they return unless it is a plain value.
class Context {
 public:
  /// Starts no thread and reads no file; the first run that needs them does.
  explicit Context(ContextSettings settings = {});
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Ends all runs of this context, later ones included: each returns ErrorCode::cancelled within some tenths
  /// of a second and leaves no output. May be called from a signal handler.
  void request_stop() noexcept;
  /// Was request_stop() called?
  [[nodiscard]] bool stop_requested() const noexcept;

  /// The settings that the context was made with.
  [[nodiscard]] const ContextSettings& settings() const noexcept;

  struct State;
  /// For the library itself.
  [[nodiscard]] State& state() const noexcept { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace leitong
