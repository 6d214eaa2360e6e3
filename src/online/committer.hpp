// Changes an index, one batch at a time. Many threads check, and additions are optimistic: each text is
// checked against the present state while other threads work. Then one thread at a time has the turn and
// takes the waiting texts as one batch: it checks again only texts of which an earlier text of the batch has
// posted a key, writes all to the store, and shows them to readers. The answers are therefore the same as if
// texts were added one by one.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <vector>

#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/batch.hpp"
#include "online/home.hpp"
#include "online/index_core.hpp"
#include "online/segments.hpp"
#include "online/turns.hpp"

namespace leitong::online {

/// Fails with conflict if a version is expected and the view has another version.
[[nodiscard]] Result<void> expect(const View& view, ExpectedVersion expected);

class Committer {
 private:
  /// A batch that waits to be added.
  struct Request : Waiting {
    std::span<CheckedText> texts;
    ExpectedVersion expected;
    std::vector<Answer> answers = {};
  };

 public:
  /// The right to change something; one thread at a time has it.
  using Turn = Turns<Request>::Turn;

  /// `complete` completes the change that an earlier turn left unfinished, if there is one.
  Committer(IndexCore& core, Segments& segments, CheckCounts& checks, std::function<Result<void>()> complete)
      : core_(core), segments_(segments), checks_(checks), complete_(std::move(complete)) {}

  /// Adds texts that are shown at once.
  Result<std::vector<Answer>> add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                  ExpectedVersion expected);
  /// Waits until all writes are as durable as the settings ask for.
  Result<void> sync();
  [[nodiscard]] Turns<Request>& turns() noexcept { return turns_; }
  /// How many texts were checked again because of their batch.
  [[nodiscard]] std::uint64_t checked_twice() const noexcept { return checked_twice_; }

  // The following REQUIRE the turn.
  /// Adds texts of a source that is being committed. They are not durable before the next commit that waits.
  Result<std::vector<Answer>> add_of_source(std::span<CheckedText> texts);
  /// Writes a change and shows it to readers. `wait`: see Store::commit().
  Result<void> commit(Change& change, Delta& delta, bool wait);
  /// The same with removals. Readers see the whole change or nothing of it. It is not durable before sync().
  Result<void> commit_removal(Change& change, Delta& delta, std::span<const TextNumber> removed);

 private:
  /// Prepares and checks a text of a request, by its position.
  using CheckFn = std::function<Result<void>(std::size_t i, CheckScratch& scratch)>;

  /// Adds the waiting requests, and before them `own`, if it is not null. `check` checks each text of `own`
  /// while earlier texts are added.
  void serve(Turn& turn, Request* own, const CheckFn& check);
  /// Makes the waiting requests durable and shows them.
  Result<void> work_out(Turn& turn, Request* own, const CheckFn& check);
  /// Notes which texts are known by now. Fails if the index does not have the version that the request
  /// expects.
  Result<void> meets_expectation(Request& request, const View& view);
  /// Finds the text in the store that has the id, and checks the text against the view.
  Result<void> check_before_adding(const View& view, CheckScratch& scratch, CheckedText& text);
  /// Adds all texts of the request; `check` checks each of them while the earlier ones are added.
  Result<void> add_as_checked(Request& request, const CheckFn& check, Batch& batch);
  /// Adds a checked text to the delta of the batch, and its answer to the request.
  Result<void> add_one(Request& request, CheckedText& text, Batch& batch);
  /// Changes what readers see. REQUIRES that no reader is active.
  void show(Delta& delta, std::span<const TextNumber> removed, bool durable);

  IndexCore& core_;
  Segments& segments_;
  CheckCounts& checks_;
  std::function<Result<void>()> complete_;

  Turns<Request> turns_{1};
  CheckedTexts checked_;
  std::atomic<std::uint64_t> checked_twice_{0};
};

}  // namespace leitong::online
