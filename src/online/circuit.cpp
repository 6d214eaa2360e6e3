#include "online/circuit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <thread>

#include "base/try.hpp"

namespace leitong::online {

Result<void> Circuit::check() const {
  const std::scoped_lock lock(mutex_);
  const auto now = Clock::now();
  if (now >= closed_until_) return {};
  return fail(ErrorCode::io,
              fmt::format("{}: is not asked for another {:.1f} seconds, since it didn't answer: {}", server_,
                          std::chrono::duration<double>(closed_until_ - now).count(), last_trouble_));
}

Result<void> Circuit::Tries::again(std::string_view trouble, bool wait) {
  using std::chrono::milliseconds;
  constexpr milliseconds kLongestPause{1000};
  if (++failed_ >= circuit_.settings_.tries) {
    const std::scoped_lock lock(circuit_.mutex_);
    circuit_.closed_until_ = Clock::now() + circuit_.settings_.pause;
    circuit_.last_trouble_ = trouble;
    return fail(ErrorCode::io, fmt::format("{}: doesn't answer, asked {} times: {}", circuit_.server_,
                                           circuit_.settings_.tries, trouble));
  }
  if (!wait) return {};
  const auto end = Clock::now() + pause_;
  pause_ = std::min(2 * pause_, kLongestPause);
  while (Clock::now() < end) {
    LEITONG_TRY(circuit_.stop_.check());
    std::this_thread::sleep_for(std::min<Clock::duration>(end - Clock::now(), milliseconds(20)));
  }
  return {};
}

}  // namespace leitong::online
