// What the parts of an open index share: its store, its scheme, and the state that readers see.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "base/try.hpp"
#include "io/run_context.hpp"
#include "leitong/online.hpp"
#include "online/check_text.hpp"
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

struct IndexCore {
  /// An index with an empty state. `place`: a folder; empty: in memory. A repair makes a new secret if it is
  /// missing, and discards what follows damage in the log of writes.
  static Result<std::unique_ptr<IndexCore>> open(const Context& context, const std::filesystem::path& place,
                                                 const Settings& settings, bool to_repair,
                                                 LogOfWrites log = LogOfWrites::whole);

  IndexCore(const Context& of, std::filesystem::path at, const Settings& with, const SipKey& bits)
      : context(of), place(std::move(at)), settings(with), secret(bits) {}

  const Context& context;
  const std::filesystem::path place;
  const Settings settings;
  const Secret secret;
  std::unique_ptr<IndexScheme> scheme;
  std::unique_ptr<Store> store;
  Gate gate;  ///< guards `state`, which only the thread that has the turn (committer.hpp) changes
  State state;
  /// The number of entries in the store's rows of templates; each row holds what a batch learned.
  std::uint64_t template_entries = 0;
  bool out_of_step = false;  ///< a change is in the store, and readers do not see all of it
  ScratchPool scratches;

  /// The place, for messages.
  [[nodiscard]] std::string name() const { return place.empty() ? "the index" : place.string(); }
  /// "PLACE: WHAT; repair the index by `leitong index repair`".
  [[nodiscard]] tl::unexpected<Error> damaged(std::string_view what) const;
  /// Fails with cancelled.
  [[nodiscard]] Result<void> go_on() const { return StopToken(context.state().stop).check(); }
  /// Fails with io if there was no memory to show what the store has.
  [[nodiscard]] Result<void> check_in_step() const;
  void prepare(CheckedText& text, bool to_be_added, CheckScratch& scratch) const {
    prepare_text(*scheme, secret, to_be_added, text, scratch);
  }
  Result<void> check_one(const View& view, CheckScratch& scratch, CheckedText& text,
                         Explanation* explanation = nullptr) const;
  /// Finds the passages that the text shares with its matches, if these still exist. REQUIRES the gate.
  Result<void> add_passages(const CheckedText& text, Answer& answer, CheckScratch& scratch) const;
  /// body(i, scratch) for each i < n, on the context's threads if that is faster.
  template <class Body>
  Result<void> for_each(std::size_t n, Body body);

  /// The number of texts of a batch from which on other threads help.
  static constexpr std::size_t kWorthSharing = 8;
};

/// Texts of earlier calls, whose working space later calls reuse. The texts of large calls are not kept.
using CheckedTexts = Pool<std::vector<CheckedText>>;
inline constexpr std::size_t kKeptBytes = std::size_t{16} << 20;

template <class Body>
Result<void> IndexCore::for_each(std::size_t n, Body body) {
  if (n < kWorthSharing) {
    const ScratchPool::Lease scratch(scratches);
    for (std::size_t i = 0; i < n; ++i) {
      LEITONG_TRY(go_on());
      LEITONG_TRY(body(i, *scratch));
    }
    return {};
  }
  return on_threads(context, [&] {
    return parallel_for_each(
        StopToken(context.state().stop), n, [&] { return ScratchPool::Lease(scratches); },
        [&](std::size_t i, const ScratchPool::Lease& scratch) { return body(i, *scratch); });
  });
}

}  // namespace leitong::online
