#include "online/circuit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <thread>

#include "base/try.hpp"

namespace leitong::online {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kLongestPause{1000};

}  // namespace

Result<void> Circuit::check(std::string_view server) const {
  const std::scoped_lock lock(mutex_);
  const auto now = Clock::now();
  if (now >= closed_until_) return {};
  return fail(ErrorCode::io,
              fmt::format("{}: is not asked for another {:.1f} seconds, since it didn't answer: {}", server,
                          std::chrono::duration<double>(closed_until_ - now).count(), last_trouble_));
}

tl::unexpected<Error> Circuit::give_up(std::string_view server, std::string_view trouble) {
  const std::scoped_lock lock(mutex_);
  closed_until_ = Clock::now() + settings_.pause;
  last_trouble_ = trouble;
  return fail(ErrorCode::io,
              fmt::format("{}: doesn't answer, asked {} times: {}", server, settings_.tries, trouble));
}

Result<void> Circuit::Pauses::wait() {
  const auto end = Clock::now() + next_;
  next_ = std::min(2 * next_, kLongestPause);
  while (Clock::now() < end) {
    LEITONG_TRY(circuit_.stop_.check());
    std::this_thread::sleep_for(std::min<Clock::duration>(end - Clock::now(), milliseconds(20)));
  }
  return circuit_.stop_.check();
}

}  // namespace leitong::online
