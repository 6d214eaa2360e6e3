// Passes the texts of many requests to an index in few calls, so that durable ones share a sync. The index
// groups calls, too, but only as many as threads wait in it, and the server has few threads for many
// requests.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "workers.hpp"

namespace leitong::server {

/// What is done with a text.
enum class Task : std::uint8_t { check, add, check_and_add };

/// While calls are running, requests wait and are gathered; the next call takes all of them. A request never
/// waits for others that may come: on an idle server it is called at once.
class Gather {
 public:
  /// Called on a worker, with an answer for each text, which is valid during the call. Must not throw.
  using Done = std::function<void(Result<std::span<const online::Answer>>)>;

  Gather(online::Index& index, Workers& workers) : index_(index), workers_(workers) {}

  /// The texts must stay where they are until `done` is called. Texts of one request stay together and in
  /// order. Any thread. `keep` is held until then.
  void submit(Task task, std::vector<online::Text> texts, const online::Wanted& wanted,
              online::ExpectedVersion expected, Done done, std::shared_ptr<const void> keep);

  /// The calls of the index so far, and their texts.
  [[nodiscard]] std::uint64_t calls() const noexcept { return calls_; }
  [[nodiscard]] std::uint64_t texts() const noexcept { return texts_; }

 private:
  struct Waiting {
    std::vector<online::Text> texts;
    online::Wanted wanted;
    online::ExpectedVersion expected;
    Done done;
  };
  struct Lane {
    std::vector<Waiting> waiting;
    unsigned at_work = 0;
  };
  /// One call writes to disk while the other one compares.
  static constexpr unsigned kMostAtWork = 2;
  static constexpr std::size_t kMostTexts = 1024;

  void post(Task task, std::shared_ptr<const void> keep);
  void work(Task task, std::shared_ptr<const void> keep);
  /// Refuses the waiting requests, because no call will take them.
  void give_up(Lane& lane, const Error& why);
  [[nodiscard]] std::vector<Waiting> take(Lane& lane);
  void call(Task task, std::vector<Waiting> requests);

  online::Index& index_;
  Workers& workers_;
  std::mutex mutex_;
  std::array<Lane, 3> lanes_;
  std::atomic<std::uint64_t> calls_{0}, texts_{0};
};

}  // namespace leitong::server
