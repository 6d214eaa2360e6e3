// The online index: START HERE. What it is made of: text_keys.hpp says what is looked at of a text,
// candidates.hpp which texts are likely, decide_pair.hpp whether two are similar; store.hpp is the truth,
// posting_lists.hpp the postings in memory and in segments.
//
// Many threads check, and additions are optimistic: each text is checked against the state of the moment,
// beside other threads. Then one thread at a time takes what waits, as one batch: it checks again only those
// texts whose keys an earlier one of the batch has posted, writes all to the store, and lets readers see it.
// So the answers are those of adding one by one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "io/run_context.hpp"
#include "leitong/online.hpp"
#include "online/check_text.hpp"
#include "online/state.hpp"
#include "online/store.hpp"
#include "online/text_keys.hpp"

namespace leitong::online {

/// Lets a writer in between readers, however many of them come.
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

/// The public functions' promises are in leitong/online.hpp.
class OnlineIndex {
 public:
  static Result<std::unique_ptr<OnlineIndex>> open(const Context& context, const std::filesystem::path& place,
                                                   const Settings& settings);
  /// Opens one whose postings are not to be believed, and makes them anew.
  static Result<void> rebuild(const Context& context, const std::filesystem::path& place);

  Result<std::vector<Answer>> check(std::span<const std::string_view> texts);
  Result<std::vector<Answer>> add(std::span<const Text> texts, Look look);
  Result<bool> remove(std::string_view id);
  Result<std::optional<Stored>> get(std::string_view id);
  Result<Explanation> explain(std::string_view text);
  Result<void> verify();
  Result<Figures> figures();

 private:
  /// A batch that waits for its turn to be added.
  struct Request {
    std::span<CheckedText> texts;
    Look look;
    std::uint64_t version;  // of the state that it was checked against
    std::vector<Answer> answers;
    Result<void> result;
    bool done = false;
  };
  /// One of the scratches, for as long as it is needed.
  class ScratchLease {
   public:
    explicit ScratchLease(OnlineIndex& index) : index_(&index) {
      const std::scoped_lock lock(index.scratch_mutex_);
      if (index.scratches_.empty()) {
        scratch_ = std::make_unique<CheckScratch>();
      } else {
        scratch_ = std::move(index.scratches_.back());
        index.scratches_.pop_back();
      }
    }
    ~ScratchLease() {
      if (scratch_ == nullptr) return;
      const std::scoped_lock lock(index_->scratch_mutex_);
      index_->scratches_.push_back(std::move(scratch_));
    }
    ScratchLease(ScratchLease&&) noexcept = default;
    ScratchLease& operator=(ScratchLease&&) = delete;
    [[nodiscard]] CheckScratch& operator*() const noexcept { return *scratch_; }

   private:
    OnlineIndex* index_;
    std::unique_ptr<CheckScratch> scratch_;
  };

  OnlineIndex(const Context& context, std::filesystem::path place, const Settings& settings,
              const SipKey& secret)
      : context_(context), place_(std::move(place)), settings_(settings), secret_(secret) {}
  /// One whose state is empty. `new_secret`: one is made if it is missing.
  static Result<std::unique_ptr<OnlineIndex>> open_store(const Context& context,
                                                         const std::filesystem::path& place,
                                                         const Settings& settings, bool new_secret);
  Result<void> load();

  /// Texts of a batch from which other threads are asked for help.
  static constexpr std::size_t kWorthSharing = 8;
  /// body(i, scratch) for each i < n, on the context's threads where that is worth while.
  template <class Body>
  Result<void> for_each(std::size_t n, Body body);
  void prepare(CheckedText& text, bool to_be_added, CheckScratch& scratch) const;
  [[nodiscard]] Answer answer_of(const CheckedText& text) const;
  void count(const CheckedText& text);

  Result<void> wait_for_turn(Request& request);
  void add_group(std::span<Request* const> group);
  Result<void> add_to_delta(Request& request, const View& view, CheckScratch& scratch, Delta& delta,
                            Change& change);
  Result<Answer> known_answer(const CheckedText& text, TextNumber number, CheckScratch& scratch) const;
  void post_keys(const CheckedText& text, bool near, const View& view, Delta& delta, LogEntry& entry) const;
  /// Writes a change and lets readers see what it is about.
  Result<void> commit(Change& change, Delta& delta, std::span<const TextNumber> removed);
  Result<bool> remove_now(std::string_view id, CheckScratch& scratch);

  [[nodiscard]] bool must_flush() const noexcept {
    return !place_.empty() && state_.table.postings() >= flush_at_;
  }
  /// Writes the table as a segment, and merges segments where there are enough of one tier. Changes the lists
  /// alone.
  Result<void> seal(std::vector<SegmentName>& names, std::vector<std::shared_ptr<const Segment>>& segments);
  /// From now on these are the segments, and the table is empty.
  void show_sealed(std::vector<SegmentName> names, std::vector<std::shared_ptr<const Segment>> segments);
  Result<void> flush();
  void remove_other_segments(const std::vector<SegmentName>& names) const;
  Result<void> rebuild_postings();

  const Context& context_;
  std::filesystem::path place_;
  Settings settings_;
  Secret secret_;
  std::unique_ptr<Store> store_;

  Gate gate_;  // of state_, which only the thread whose turn it is changes
  State state_;
  std::uint64_t flush_at_ = 0;  // postings in the table
  std::uint32_t next_segment_ = 1;

  std::mutex queue_mutex_;
  std::condition_variable turn_over_;
  std::deque<Request*> queue_;
  bool writing_ = false;  // somebody has the turn

  std::mutex scratch_mutex_;
  std::vector<std::unique_ptr<CheckScratch>> scratches_;

  std::atomic<std::uint64_t> checks_{0}, bounded_candidates_{0}, bounded_ids_{0}, bounded_keys_{0},
      checked_twice_{0};
};

template <class Body>
Result<void> OnlineIndex::for_each(std::size_t n, Body body) {
  const StopToken stop(context_.state().stop);
  if (n < kWorthSharing) {
    const ScratchLease scratch(*this);
    for (std::size_t i = 0; i < n; ++i) {
      LEITONG_TRY(stop.check());
      LEITONG_TRY(body(i, *scratch));
    }
    return {};
  }
  return on_threads(context_, [&] {
    return parallel_for_each(
        stop, n, [&] { return ScratchLease(*this); },
        [&](std::size_t i, const ScratchLease& scratch) { return body(i, *scratch); });
  });
}

}  // namespace leitong::online
