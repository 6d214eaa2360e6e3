// An index on a Redis server that compares texts. Texts, postings and families are on the server. The client
// decides, by the same code as in a folder: it computes a batch on an excerpt of the index (excerpt.hpp) and
// sends what the batch adds. The server accepts it if nothing on which it depends has changed meanwhile
// (text_functions.cpp); otherwise it is computed again. Any number of processes can add.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/try.hpp"
#include "online/redis/description.hpp"
#include "online/redis/excerpt.hpp"
#include "online/redis/redis_home.hpp"
#include "online/turns.hpp"

namespace leitong::online {

// The most texts of a part, and the bytes of text at which it ends.
inline constexpr std::size_t kInPart = 128, kBytesInPart = std::size_t{4} << 20;

/// The number of these texts that form the next part.
template <class T, class BytesOf>
std::size_t size_of_part(std::span<T> texts, BytesOf bytes_of) {
  std::size_t count = 0, bytes = 0;
  while (count < std::min(kInPart, texts.size()) && (count == 0 || bytes < kBytesInPart))
    bytes += bytes_of(texts[count++]);
  return count;
}

class RedisTexts final : public RedisHome {
 public:
  RedisTexts(const Context& context, std::unique_ptr<RedisLink> link, RedisDescription index);

  Result<std::vector<Answer>> check(std::span<const Text> texts, Look look, const Wanted& wanted) override;
  Result<std::vector<Answer>> add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                  ExpectedVersion expected) override;
  Result<Explanation> explain(std::string_view text) override;
  Result<Figures> figures() override;
  Result<void> compact() override;

 private:
  /// A text that is being added, and its answer.
  struct Arriving {
    CheckedText* text;
    Answer* answer;
    bool prepared;
  };
  /// The texts of one call that wait to be added.
  struct Request : Waiting {
    std::vector<Arriving> texts;
  };
  /// Texts that are computed together, and what they add.
  struct Part;

  /// Calls work(excerpt) with a new excerpt until one is of a single moment. Fails with io if other clients
  /// remove texts again and again.
  template <class Work>
  Result<void> at_one_moment(Work work);
  /// Calls work(asking) until the excerpt lacks nothing, or is stale.
  template <class Work>
  Result<void> with_all(RedisExcerpt& excerpt, Work work);
  /// Notes the lists that the texts look up, so that all of them are read at once.
  void want_lists(RedisExcerpt& excerpt, std::span<CheckedText* const> texts);
  /// Checks texts that are not refused, unless the excerpt is stale. `to_be_added`: looks up their ids as
  /// well. `meanwhile` is called when the server has no other work than what it asks for.
  Result<void> check_all(RedisExcerpt& excerpt, std::vector<CheckedText*> texts, bool to_be_added,
                         const std::function<void()>& meanwhile = {});
  std::optional<std::uint64_t> memory_bytes();

  // adding_texts.cpp
  Result<void> add_group(std::span<Arriving> texts);
  Result<void> prepare_part(std::span<Arriving> texts);
  std::unique_ptr<Part> part_of(std::span<const Arriving> texts);
  Result<void> work_out(Part& part, const std::function<void()>& meanwhile = {});
  /// The command that adds the part; none if there is nothing to add or the excerpt is stale.
  [[nodiscard]] std::vector<RedisCommand> handing_in(const Part& part) const;
  /// The number of the first text of the part; nothing if the index changed meanwhile, so that the part must
  /// be computed again.
  Result<std::optional<TextNumber>> taken(Part& part, std::span<const RedisReply> replies);
  /// Adds texts; halves the part when other clients are faster again and again.
  Result<void> add_against_others(std::span<const Arriving> texts);

  Result<bool> note_postings(std::vector<Leaving>& leaving, std::string& full) override;
  Result<void> verify_postings() override;
  Result<void> verify_some(TextNumber first, TextNumber end);

  const Secret secret_;
  RedisKnown known_;

  // While the server works on one group, the other one is computed.
  Turns<Request> turns_{2};

  std::atomic<std::uint64_t> checked_twice_{0};
};

template <class Work>
Result<void> RedisTexts::at_one_moment(Work work) {
  constexpr unsigned kTries = 100;
  for (unsigned tries = 0; tries < kTries; ++tries) {
    LEITONG_TRY(stop().check());
    RedisExcerpt excerpt(*link_, known_, history_);
    LEITONG_TRY(work(excerpt));
    if (!excerpt.is_stale()) return {};
  }
  return fail(ErrorCode::io, link_->address().shown() +
                                 ": others removed texts each time that it was asked; ask again later");
}

template <class Work>
Result<void> RedisTexts::with_all(RedisExcerpt& excerpt, Work work) {
  for (bool more = true; more;) {
    LEITONG_TRY(stop().check());
    {
      const std::shared_lock lock(known_.mutex);
      RedisExcerpt::Asking asking(excerpt);
      LEITONG_TRY(work(asking));
      (void)asking.lacked();
    }
    LEITONG_ASSIGN(more, excerpt.fetch());
    more = more && !excerpt.is_stale();
  }
  return {};
}

}  // namespace leitong::online
