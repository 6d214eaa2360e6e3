// An index on a Redis server that compares texts. Texts, postings and families are there; what is decided is
// decided here, by the same code as in a folder: a batch is worked out on an excerpt of the index
// (excerpt.hpp), and what it adds is handed in. The server takes it if nothing that it depends on has changed
// meanwhile (text_functions.cpp), and it is worked out again if so. Any number of processes may add.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/try.hpp"
#include "online/batch.hpp"
#include "online/redis/description.hpp"
#include "online/redis/excerpt.hpp"
#include "online/redis/redis_home.hpp"

namespace leitong::online {

class RedisTexts final : public RedisHome {
 public:
  RedisTexts(const Context& context, std::unique_ptr<RedisLink> link, RedisDescription index);

  Result<std::vector<Answer>> check(std::span<const Text> texts, Look look, const Wanted& wanted) override;
  Result<std::vector<Answer>> add(std::span<const Text> texts, Look look, const Wanted& wanted) override;
  Result<bool> remove(std::string_view id) override;
  Result<std::uint64_t> remove_source(std::string_view source) override;
  Result<std::uint64_t> expire(Seconds before) override;
  Result<Explanation> explain(std::string_view text) override;
  Result<void> verify() override;
  Result<Figures> figures() override;
  Result<void> compact() override;

 private:
  /// A text on its way into the index, and its answer.
  struct Arriving {
    CheckedText* text;
    Answer* answer;
  };
  /// Texts of one call that wait to be added.
  struct Request {
    std::vector<Arriving> texts;
    Result<void> result;
    bool done = false;
  };

  /// Calls work() with known_.mutex held, until the excerpt lacks nothing of what was asked for.
  template <class Work>
  Result<void> with_all(RedisExcerpt& excerpt, Work work);
  /// Checks texts that aren't refused.
  Result<void> check_all(RedisExcerpt& excerpt, std::span<CheckedText* const> texts);
  void count_check(const CheckedText& text);

  Result<void> wait_for_turn(Request& request);
  void add_group(std::span<Request* const> group);
  /// Adds texts, in halves where others are quicker again and again.
  Result<void> add_part(std::span<const Arriving> texts);
  /// False if the index changed meanwhile, so that it is to be worked out again.
  Result<bool> try_to_add(std::span<const Arriving> texts);
  Result<bool> hand_in(const RedisExcerpt& excerpt, const Delta& delta, std::span<const Arriving> added,
                       std::uint64_t template_bytes);

  /// Of a text that leaves: what the server says of it.
  struct Leaving;
  Result<std::vector<Leaving>> leaving(std::string_view what, std::string_view which);
  /// How many were removed of those that leave.
  Result<std::uint64_t> remove_these(std::vector<Leaving>& leaving);
  Result<std::uint64_t> remove_all(std::string_view what, std::string_view which);
  Result<void> verify_rows(TextNumber first, TextNumber end);

  const Secret secret_;
  const std::string made_;
  RedisKnown known_;

  std::mutex queue_mutex_;
  std::condition_variable turn_over_;
  std::deque<Request*> queue_;
  unsigned at_work_ = 0;

  std::atomic<std::uint64_t> checks_{0}, bounded_candidates_{0}, bounded_ids_{0}, bounded_keys_{0},
      checked_twice_{0};
};

template <class Work>
Result<void> RedisTexts::with_all(RedisExcerpt& excerpt, Work work) {
  for (bool more = true; more;) {
    LEITONG_TRY(stop().check());
    {
      const std::shared_lock lock(known_.mutex);
      LEITONG_TRY(work());
    }
    LEITONG_ASSIGN(more, excerpt.fetch());
  }
  return {};
}

}  // namespace leitong::online
