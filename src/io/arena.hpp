// The threads of a context.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace leitong {

/// An arena of TBB: threads for work that is called from outside, separate from those of the host.
class Arena {
 public:
  explicit Arena(int threads);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Runs `work()` on them. Isolated: otherwise a thread that waits in one run could begin a second run, and
  /// the first could not end before it.
  void execute(const std::function<void()>& work);

  /// Releases the workers; the next execute() gets new ones.
  void terminate();

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;
};

/// The number of threads of the calling arena.
[[nodiscard]] std::size_t threads_here() noexcept;

}  // namespace leitong
