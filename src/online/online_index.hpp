// The online index in memory or in a folder: START HERE. text_keys.hpp says what is used of a text,
// candidates.hpp which texts are likely, decide_pair.hpp whether two texts are similar. store.hpp is the
// durable data, posting_lists.hpp the postings in memory and in segments. index_core.hpp is what the parts
// share: committer.hpp adds texts, removing.hpp removes them, sources.hpp sets them aside, segments.hpp moves
// postings to files, and repair.hpp repairs a damaged index.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/online.hpp"
#include "online/committer.hpp"
#include "online/home.hpp"
#include "online/index_core.hpp"
#include "online/removing.hpp"
#include "online/segments.hpp"
#include "online/sources.hpp"

namespace leitong::online {

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
  /// calls: the result is the same as if they were added one by one, but nothing is durable before finish(),
  /// so that no log of writes is kept and derived data are written once. Before finish() the folder cannot be
  /// opened as an index.
  static Result<std::unique_ptr<OnlineIndex>> make_at_once(const Context& context,
                                                           const std::filesystem::path& place,
                                                           const Settings& settings);
  /// Completes the index.
  Result<void> finish();

  Result<std::vector<Answer>> check(std::span<const Text> texts, Look look, const Wanted& wanted) override;
  Result<std::vector<Answer>> add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                  ExpectedVersion expected) override {
    return sources_.add(texts, look, wanted, expected);
  }
  Result<std::uint64_t> remove(const Which& which, ExpectedVersion expected) override {
    return removing_.remove(which, expected);
  }
  Result<bool> begin(std::string_view source) override { return sources_.begin(source); }
  Result<Committed> commit(std::string_view source) override { return sources_.commit(source); }
  Result<void> rollback(std::string_view source) override { return sources_.rollback(source); }
  std::vector<std::string> open_sources() override { return sources_.names(); }
  Result<std::optional<Stored>> get(std::string_view id) override;
  Result<void> for_each_stored(const std::string* source, const EachStored& each) override;
  Result<Changes> changes(std::string_view since, const ChangesWanted& wanted) override;
  Result<Explanation> explain(std::string_view text) override;
  Result<void> verify() override;
  Result<Figures> figures() override;
  Result<void> snapshot(const std::filesystem::path& folder) override;
  Result<void> compact() override;

  [[nodiscard]] Store& store() noexcept { return *core_->store; }
  [[nodiscard]] Sources& sources() noexcept { return sources_; }
  /// The index will not be opened again, so closing it writes nothing.
  void forget() noexcept { loaded_ = false; }

 private:
  explicit OnlineIndex(std::unique_ptr<IndexCore> core)
      : core_(std::move(core)),
        segments_(*core_),
        committer_(*core_, segments_, checks_, [this] { return sources_.complete_commit(); }),
        sources_(*this, *core_, committer_),
        removing_(*core_, committer_, sources_) {}
  static Result<std::unique_ptr<OnlineIndex>> load(std::unique_ptr<IndexCore> core);
  Result<void> copy_to(const std::filesystem::path& folder);

  const std::unique_ptr<IndexCore> core_;
  Segments segments_;
  Committer committer_;
  Sources sources_;
  Removing removing_;
  bool loaded_ = false;  // everything of the store is loaded, so that closing may write it
  CheckedTexts asked_;
};

}  // namespace leitong::online
