// The online index: START HERE. text_keys.hpp says what is used of a text, candidates.hpp which texts are
// likely, decide_pair.hpp whether two texts are similar. store.hpp is the durable data, posting_lists.hpp the
// postings in memory and in segments.
//
// Many threads check, and additions are optimistic: each text is checked against the present state while
// other threads work. Then one thread at a time takes the waiting texts as one batch: it checks again only
// texts of which an earlier text of the batch has posted a key, writes all to the store, and shows it to
// readers. The answers are therefore those of adding one by one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "io/run_context.hpp"
#include "leitong/online.hpp"
#include "online/answer.hpp"
#include "online/batch.hpp"
#include "online/check_text.hpp"
#include "online/home.hpp"
#include "online/index_scheme.hpp"
#include "online/state.hpp"
#include "online/store.hpp"
#include "online/text_keys.hpp"

namespace leitong::online {

/// A lock in which a writer does not starve, however many readers come.
class Gate {
 public:
  [[nodiscard]] std::shared_lock<std::shared_mutex> read() {
    const std::scoped_lock queue(entry_);
    return std::shared_lock(state_);
  }
  [[nodiscard]] std::unique_lock<std::shared_mutex> write() {
    const std::scoped_lock queue(entry_);
    return std::unique_lock(state_);
  }

 private:
  std::mutex entry_;
  std::shared_mutex state_;
};

/// leitong/online.hpp documents the public functions.
class OnlineIndex final : public Home {
 public:
  static Result<std::unique_ptr<OnlineIndex>> open(const Context& context, const std::filesystem::path& place,
                                                   const Settings& settings);
  /// Writes a long table of postings to a segment, so that the next opening need not build it again.
  ~OnlineIndex() override;
  OnlineIndex(const OnlineIndex&) = delete;
  OnlineIndex& operator=(const OnlineIndex&) = delete;
  /// Makes a new index in a folder that does not exist or is empty, from the texts of add(), which one thread
  /// calls. None of them is durable before finish(); until then it cannot be opened as an index.
  static Result<std::unique_ptr<OnlineIndex>> make_at_once(const Context& context,
                                                           const std::filesystem::path& place,
                                                           const Settings& settings);
  /// Completes the index.
  Result<void> finish();
  /// Opens an index with damaged postings and builds them again.
  static Result<void> rebuild(const Context& context, const std::filesystem::path& place);

  Result<std::vector<Answer>> check(std::span<const Text> texts, Look look, const Wanted& wanted) override;
  Result<std::vector<Answer>> add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                  ExpectedVersion expected) override;
  Result<std::uint64_t> remove(const Which& which, ExpectedVersion expected) override;
  Result<bool> begin(std::string_view source) override;
  Result<Committed> commit(std::string_view source) override;
  Result<void> rollback(std::string_view source) override;
  std::vector<std::string> open_sources() override;
  Result<std::optional<Stored>> get(std::string_view id) override;
  Result<void> for_each_stored(const std::string* source, const EachStored& each) override;
  Result<Changes> changes(std::string_view since, const ChangesWanted& wanted) override;
  Result<Explanation> explain(std::string_view text) override;
  Result<void> verify() override;
  Result<Figures> figures() override;
  Result<void> snapshot(const std::filesystem::path& folder) override;
  Result<void> compact() override;

 private:
  /// A source whose texts are set aside, in an index of its own within the folder of this one. So they are
  /// durable and compared with each other, and a rollback deletes a folder.
  struct Aside {
    std::string source;
    std::filesystem::path folder;  // empty: in memory
    std::unique_ptr<OnlineIndex> index;
    std::shared_mutex in_use;  // exclusively by the thread that ends it
    bool over = false;
  };
  /// The right to change something; one thread at a time has it.
  class Turn {
   public:
    explicit Turn(OnlineIndex& index) : index_(index) {
      std::unique_lock lock(index.queue_mutex_);
      index.turn_over_.wait(lock, [&] { return !index.writing_; });
      index.writing_ = true;
    }
    ~Turn() {
      {
        const std::scoped_lock lock(index_.queue_mutex_);
        index_.writing_ = false;
      }
      index_.turn_over_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    OnlineIndex& index_;
  };
  /// A batch that waits to be added.
  struct Request {
    std::span<CheckedText> texts;
    ExpectedVersion expected;
    std::vector<Answer> answers;
    Result<void> result;
    bool done = false;
  };
  OnlineIndex(const Context& context, std::filesystem::path place, const Settings& settings,
              const SipKey& secret)
      : context_(context), place_(std::move(place)), settings_(settings), secret_(secret) {}
  /// An index with an empty state. A repair makes a new secret if it is missing, and discards what follows
  /// damage in the log of writes.
  static Result<std::unique_ptr<OnlineIndex>> open_store(const Context& context,
                                                         const std::filesystem::path& place,
                                                         const Settings& settings, bool to_repair,
                                                         LogOfWrites log = LogOfWrites::whole);
  Result<void> load();

  /// The number of texts of a batch from which other threads help.
  static constexpr std::size_t kWorthSharing = 8;
  /// body(i, scratch) for each i < n, on the context's threads if that is faster.
  template <class Body>
  Result<void> for_each(std::size_t n, Body body);
  void prepare(CheckedText& text, bool to_be_added, CheckScratch& scratch) const {
    prepare_text(*scheme_, secret_, to_be_added, text, scratch);
  }
  Result<void> check_one(const View& view, CheckScratch& scratch, CheckedText& text,
                         Explanation* explanation = nullptr) const;
  /// Finds the passages that the text shares with its matches, if these still exist.
  Result<void> add_passages(const CheckedText& text, Answer& answer, CheckScratch& scratch) const;

  Result<std::vector<Answer>> add_shown(std::span<const Text> texts, Look look, const Wanted& wanted,
                                        ExpectedVersion expected);
  Result<void> check_before_adding(const View& view, CheckScratch& scratch, CheckedText& text);
  /// Prepares and checks a text of a request, by its position.
  using CheckFn = std::function<Result<void>(std::size_t i, CheckScratch& scratch)>;
  Result<void> wait_for_turn(Request& request);
  /// Takes the turn if no thread has it or waits for it.
  bool take_free_turn();
  /// Adds what waits, and before it `own`, if not null; `check` checks each of its texts while the earlier
  /// ones are added. REQUIRES the turn, and ends it.
  void serve(Request* own, const CheckFn& check);
  /// Makes what waits durable and shows it. `group` receives the requests.
  Result<void> work_out(Request* own, const CheckFn& check, std::vector<Request*>& group);
  [[nodiscard]] tl::unexpected<Error> no_memory() const;
  /// Fails with io if there was no memory to show what the store has.
  Result<void> check_in_step() const;
  /// Notes which texts are known by now. Fails if the index does not have the version that the request
  /// expects.
  Result<void> meets_expectation(Request& request, const View& view);
  /// Adds a checked text to the delta of the batch, and its answer to the request.
  Result<void> add_one(Request& request, CheckedText& text, Batch& batch);
  /// Adds all texts of the request; `check` checks each of them while the earlier ones are added.
  Result<void> add_as_checked(Request& request, const CheckFn& check, Batch& batch);
  /// Writes a change and shows it to readers. `wait`: see Store::commit().
  Result<void> commit(Change& change, Delta& delta, bool wait);
  /// The same with removals; readers see all of the change or nothing of it. It is not durable before sync().
  Result<void> commit_removal(Change& change, Delta& delta, std::span<const TextNumber> removed);
  /// Changes what readers see. REQUIRES that no reader is active.
  void show(Delta& delta, std::span<const TextNumber> removed, bool durable);
  /// Waits until all writes are as durable as the settings ask for.
  Result<void> sync();
  [[nodiscard]] tl::unexpected<Error> is_not_at(std::uint64_t expected, std::uint64_t version) const;
  Result<std::uint64_t> remove_id(std::string_view id, ExpectedVersion expected);

  // The following REQUIRE the turn.
  /// Notes a removal for followers, in the change and the delta.
  void note_removal(std::string_view id, Change& change, Delta& delta) const;
  /// False if there is no such text any more.
  Result<bool> remove_text(TextNumber number);
  /// Hands the place of a text that represents its content to its successor, if there is one.
  Result<void> hand_over(TextNumber number, const Row& row, CheckScratch& scratch, Change& change,
                         Delta& delta, std::vector<TextNumber>& removed);
  /// Completes the commit of a source that an earlier change left unfinished, if there is one.
  Result<void> go_on_committing();
  Result<Committed> commit_rest();
  /// Adds the texts that `for_each` passes on, as those of a source that is committed.
  Result<void> add_rows(const std::function<Result<void>(const Store::EachRow&)>& for_each,
                        Committed& committed);
  Result<void> commit_part(std::span<CheckedText> texts, Committed& committed);

  Result<std::vector<Answer>> set_aside(Aside& aside, std::span<const Text> texts, Look look,
                                        const Wanted& wanted);
  Result<std::shared_ptr<Aside>> find_aside(std::string_view source);
  Result<void> load_aside(const Beginning& beginning);
  [[nodiscard]] std::filesystem::path folder_aside(std::uint32_t number) const;

  /// The number of postings that are not in segments; or of texts, if these post less than one each.
  [[nodiscard]] std::uint64_t unsealed() const noexcept {
    return std::max<std::uint64_t>(state_.table.postings(), state_.records.size());
  }
  [[nodiscard]] bool must_flush() const noexcept { return !place_.empty() && unsealed() >= flush_at_; }
  /// Writes the table as a segment, and merges segments if there are enough of one tier. Changes only the
  /// lists.
  Result<void> seal(std::vector<SegmentName>& names, std::vector<std::shared_ptr<const Segment>>& segments);
  /// Replaces the segments; the table becomes empty.
  void show_sealed(std::vector<SegmentName> names, std::vector<std::shared_ptr<const Segment>> segments);
  Result<void> flush();
  void remove_other_segments(const std::vector<SegmentName>& names) const;
  /// Removes other files of the folder whose names begin so.
  void remove_others(std::string_view prefix, const std::vector<std::filesystem::path>& known) const;
  /// Merges the last segments into one; `note` receives its postings. `forget`: drops the records of removed
  /// texts.
  Result<void> merge_last(std::size_t count, bool forget, std::vector<SegmentName>& names,
                          std::vector<std::shared_ptr<const Segment>>& segments,
                          const std::function<void(const Posting&)>& note);
  Result<void> add_segment(const SegmentContent& content, std::uint32_t tier, std::vector<SegmentName>& names,
                           std::vector<std::shared_ptr<const Segment>>& segments);
  Result<void> copy_to(const std::filesystem::path& folder);
  /// For a repair: if parts are unreadable, opens it with the texts that can be read.
  static Result<std::unique_ptr<OnlineIndex>> open_readable(const Context& context,
                                                            const std::filesystem::path& place,
                                                            const Settings& settings);
  /// Builds the store of a damaged index again from the texts that can be read.
  static Result<void> replace_store(const Context& context, const std::filesystem::path& place);
  /// Continues this after a process was killed.
  static Result<void> end_replacing(const std::filesystem::path& place);
  Result<void> rebuild_postings();
  /// Rebuilds what is set aside, and forgets what is gone.
  Result<void> rebuild_aside();

  const Context& context_;
  std::filesystem::path place_;
  Settings settings_;
  Secret secret_;
  std::unique_ptr<IndexScheme> scheme_;
  std::unique_ptr<Store> store_;

  Gate gate_;  // guards state_, which only the thread that has the turn changes
  State state_;
  bool out_of_step_ = false;    // show() did not reach its end
  std::uint64_t flush_at_ = 0;  // value of unsealed() at which to flush
  /// The number of entries in the store's rows of templates; each row holds what a batch learned.
  std::uint64_t template_entries_ = 0;
  bool loaded_ = false;  // everything of the store is loaded, so that closing may write it
  std::uint32_t next_segment_ = 1;

  std::mutex queue_mutex_;
  std::condition_variable turn_over_;
  std::deque<Request*> queue_;
  bool writing_ = false;  // a thread has the turn

  std::mutex aside_mutex_;
  std::map<std::string, std::shared_ptr<Aside>, std::less<>> aside_;
  std::uint32_t next_aside_ = 1;
  // Only the thread that has the turn changes it.
  std::shared_ptr<Aside> committing_;
  TextNumber committing_first_ = 0;

  ScratchPool scratches_;
  // Texts of earlier calls, whose working space later ones reuse: of additions, and of groups that were
  // checked. Those of calls with much text are not kept.
  Pool<std::vector<CheckedText>> checked_, asked_;
  static constexpr std::size_t kKeptBytes = std::size_t{16} << 20;

  std::atomic<std::uint64_t> checked_twice_{0};
};

template <class Body>
Result<void> OnlineIndex::for_each(std::size_t n, Body body) {
  const StopToken stop(context_.state().stop);
  if (n < kWorthSharing) {
    const ScratchPool::Lease scratch(scratches_);
    for (std::size_t i = 0; i < n; ++i) {
      LEITONG_TRY(stop.check());
      LEITONG_TRY(body(i, *scratch));
    }
    return {};
  }
  return on_threads(context_, [&] {
    return parallel_for_each(
        stop, n, [&] { return ScratchPool::Lease(scratches_); },
        [&](std::size_t i, const ScratchPool::Lease& scratch) { return body(i, *scratch); });
  });
}

}  // namespace leitong::online
