// The threads of a context.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace leitong {

/// An arena of TBB: threads for work that is called from outside, apart from those of the host.
class Arena {
 public:
  explicit Arena(int threads);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Calls `work()` on them. Isolated: a thread of this run that waits for another one must not begin a
  /// second run meanwhile, which would then have to end before the first one can.
  void execute(const std::function<void()>& work);

  /// Lets go of the workers; the next execute() takes some again.
  void terminate();

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;
};

/// How many threads the calling arena has.
[[nodiscard]] std::size_t threads_here() noexcept;

}  // namespace leitong
