// What runs share: threads, the wish to stop, progress, memory, folders and messages.
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
  std::uint64_t done = 0;   ///< of the stage
  std::uint64_t total = 0;  ///< 0 where it is unknown
  std::string_view unit;    ///< "bytes", "pairs", "documents" or "words"
};
/// Takes a report of one run. Called from any thread of the run, by one at a time, some times a second or
/// more often; it should return soon. It must not throw, and it may call Context::request_stop().
using ProgressFn = std::function<void(const Progress&)>;

enum class LogLevel {
  note,     ///< worth knowing
  warning,  ///< the result is right, but not as it was asked for, or slower
};
/// Takes one message, a sentence without a line end. Called as ProgressFn is.
using LogFn = std::function<void(LogLevel level, std::string_view message)>;

/// What a context is made with. The defaults need nothing.
struct ContextSettings {
  /// How many threads a run works on; 0: as many as this process has cores. No result depends on it. More
  /// than there are cores are worth it only if the host raises TBB's own limit (tbb::global_control). Above
  /// 4,096 no more are taken.
  unsigned threads = 0;
  /// Bytes that each run may hold in memory before it goes to the work folder; 0: that grows with the input.
  /// A run that can't work with so little fails with ErrorCode::limit and names the least. If the working
  /// space of so many threads has no room in it, fewer are used, and `log` is told so.
  std::uint64_t memory = 0;
  /// Where runs put what memory has no room for, in files without names that vanish with the process. Made if
  /// missing. Empty: the system's folder for temporary files.
  std::filesystem::path work_folder = {};
  /// Where the dictionaries lie (dict/jieba.dict.utf8 and others). Empty: what the environment variable
  /// LEITONG_DATA names; without it, ../share/leitong as seen from the program, then the tree that the
  /// library was built from.
  std::filesystem::path data_folder = {};
  ProgressFn progress = {};  ///< may be empty
  LogFn log = {};            ///< may be empty
};

/// Make one, keep it, and hand it to every run: it holds the threads, and the dictionaries once they have
/// been read. The library has no other state: runs in different contexts have nothing in common.
///
/// Threads: any number of runs, of any threads of the host, may use one context at once, or each its own.
/// Runs in one context share its threads, and a stop ends all of them. All member functions may be called
/// from any thread at any time. The host's own TBB loops keep their threads, whatever a context is set to.
///
/// The context must outlive its runs and what they return that isn't a plain value.
class Context {
 public:
  /// Starts no thread and reads no file; both come with the first run that needs them.
  explicit Context(ContextSettings settings = {});
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Ends the runs of this context, those to come as well: each returns ErrorCode::cancelled within some
  /// tenths of a second and leaves no output. May be called from a signal handler, too.
  void request_stop() noexcept;
  /// Was request_stop() called?
  [[nodiscard]] bool stop_requested() const noexcept;

  /// As they were given.
  [[nodiscard]] const ContextSettings& settings() const noexcept;

  struct State;
  /// For the library itself.
  [[nodiscard]] State& state() const noexcept { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace leitong
