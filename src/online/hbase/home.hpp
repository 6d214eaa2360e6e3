// An index on HBase, for any number of processes that add to it. No server decides here, and nothing changes
// in two rows at one moment; so that of two near texts which come at once exactly one is new:
//
//   Put first, then query. A text is written down as pending, and goes into the tables by which it is found,
//   before it looks for near ones: of two texts at least one sees the other. The smaller (time, id) comes
//   first. A text that meets a pending one of a smaller name waits until it is known what that one is. Before
//   a text becomes new it raises the round of all pending ones of larger names that it met: their cells
//   aren't what their owners read any more, so that these look again, and see it. A cell decides. A text is
//   settled by one checked put into its own cell, which fails if the round rose.
//
// Who waits in vain for another client takes that one's text over (the owner in the cell), and settles it; so
// nobody waits for a client that is gone. Clocks that differ change who is the first, and nothing else. A
// copy belongs to the first text that put its name under its content, by one checked put. A text that leaves
// is first marked, then its heir gets its place, and then it is gone: who meets a marked one helps first.
//
// What is the same whatever texts are compared by stands here. fingerprints.hpp and texts.hpp say what a text
// posts, and who is near.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/hbase/arriving.hpp"
#include "online/hbase/description.hpp"
#include "online/hbase/entry.hpp"
#include "online/hbase/keys.hpp"
#include "online/hbase/link.hpp"
#include "online/server_home.hpp"
#include "online/turns.hpp"

namespace leitong::online {

class HBaseHome : public ServerHome {
 public:
  Result<std::vector<Answer>> check(std::span<const Text> texts, Look look, const Wanted& wanted) override;
  Result<std::vector<Answer>> add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                  ExpectedVersion expected) override;
  Result<bool> remove(std::string_view id, ExpectedVersion expected) override;
  Result<std::uint64_t> remove_source(std::string_view source) override;
  Result<std::uint64_t> expire(Seconds before) override;
  Result<void> for_each_stored(const std::string* source, const EachStored& each) override;
  Result<void> verify() override;
  Result<Figures> figures() override;
  Result<void> snapshot(const std::filesystem::path& folder) override;
  /// There is nothing to give up: HBase does so when it compacts its files.
  Result<void> compact() override { return {}; }

 protected:
  HBaseHome(const Context& context, std::unique_ptr<HBaseLink> link, HBaseDescription& index);

  // What depends on what texts are compared by.
  /// Adds to an entry what it says of the text, and that of one that is to be pending what it posts.
  virtual void note_text(const CheckedText& text, HBaseText& entry) = 0;
  virtual void note_posted(CheckedText& text, HBaseText& entry) = 0;
  /// The rows by which others find it under its name.
  [[nodiscard]] virtual std::vector<HBaseRow> postings(const HBaseText& entry) const = 0;
  /// Texts whose postings are written look who is near, as far as that isn't known and current. What is found
  /// goes to their outlooks: entry (verdict, first, stands) and answer; both as a new one's if there is none.
  virtual Result<void> look(std::span<HBaseArriving* const> texts) = 0;
  /// These were settled just now.
  virtual Result<void> settled(std::span<HBaseArriving* const> texts) = 0;
  /// What is asked of texts that aren't added.
  virtual Result<std::vector<Answer>> answers_of(std::span<CheckedText> texts, const Wanted& wanted) = 0;
  /// How the text that stands for `text` now, which was exact or near, is shown. Nothing if one of them left
  /// since it was read.
  virtual Result<std::optional<Match>> match_of(const HBaseKnown& match, const HBaseText& text) = 0;
  /// `heir`, a copy of the leaving text or a member of its family, gets its place: what it posts from then
  /// on.
  virtual Result<void> inherit(const HBaseKnown& was, const HBaseText& leaving, bool copy,
                               HBaseText& heir) = 0;
  /// What is wrong with a text that is there; empty if nothing is.
  virtual Result<std::string> damage(const HBaseText& entry, const std::string& text) = 0;
  virtual Result<void> add_figures(Figures& figures) = 0;
  void count_check(const Bounds& bounds) noexcept;
  /// Texts that are there, as writers counted them.
  Result<std::uint64_t> texts_counted();

  Result<std::vector<CheckedText>> stamped(std::span<const Text> texts, Look look, bool to_be_added);

  // What is read: of empty ids nothing.
  Result<std::vector<HBaseKnown>> read(std::span<const std::string> ids);
  Result<HBaseKnown> read(const std::string& id);
  /// Names that hold these contents; empty ones where there is none.
  Result<std::vector<HBaseName>> holders(std::span<const ContentDigest* const> contents);
  Result<std::vector<std::optional<Stored>>> get_all(std::span<const std::string> ids) override;
  /// Compressed texts of entries that are there.
  Result<std::vector<std::string>> packed(std::span<const HBaseKnown> texts);

  /// `to` in the place of what was read.
  struct Change {
    HBaseKnown* known;
    HBaseText to;
    HBaseCheckedPut put;
  };
  [[nodiscard]] Change change(HBaseKnown& known, HBaseText to) const;
  /// Which were made: not those of cells that are no more what was read. What is known is then what is there.
  Result<std::vector<bool>> make(std::vector<Change> changes);
  Result<bool> change_one(HBaseKnown& known, HBaseText to);

  const std::unique_ptr<HBaseLink> link_;
  const bool wide_;
  const unsigned bits_;
  const std::size_t width_;
  const Secret secret_;

 private:
  class Batch;

  Result<std::vector<std::optional<Stored>>> stored(std::span<const HBaseKnown> texts);
  /// The names that stand for the families of these.
  Result<std::vector<HBaseName>> heads(std::span<const HBaseKnown> texts);
  /// Rows [begin, end) of a list, a page at a time: each(what stands behind `behind` bytes of the keys),
  /// which says whether it goes on.
  using EachPage = std::function<Result<bool>(const std::vector<std::string>&)>;
  Result<void> each_of(std::string begin, const std::string& end, std::size_t behind, const EachPage& each);
  /// A text that was there before, or was settled by another one.
  Result<Answer> answer_of_known(const HBaseKnown& text);
  Result<void> verify_these(std::span<const std::string> ids, std::span<const std::string> texts);

  // What is changed.
  [[nodiscard]] std::vector<HBaseRow> lists(const HBaseText& entry) const;
  /// Makes sure that a pending text looks again before it is settled. What is known of it then says whether
  /// it still is pending.
  Result<void> raise(HBaseKnown& known);
  std::uint64_t now();
  void count(Verdict verdict, int change);
  Result<void> put_counts();
  Result<std::array<std::int64_t, 3>> sums_of_counts(bool own);

  // removing.cpp
  [[nodiscard]] tl::unexpected<Error> no_end(std::string_view id) const;
  Result<bool> remove_if(const std::string& id, const std::function<bool(const HBaseText&)>& wanted);
  Result<bool> remove_listed(const std::vector<std::string>& listed, std::uint64_t& removed,
                             const std::function<bool(const HBaseText&)>& wanted);
  /// Goes on with a text that leaves until it is gone, whoever began it.
  Result<void> finish_leaving(HBaseKnown known);
  Result<bool> choose_heir(HBaseKnown& known);
  Result<std::optional<bool>> promote_heir(const HBaseText& leaving);
  Result<void> hand_over(const std::string& key, const HBaseName& from, const HBaseName* to);

  const std::uint64_t writer_;  ///< whose counts these are
  std::atomic<std::uint64_t> last_time_{0}, checks_{0}, bounded_candidates_{0}, bounded_ids_{0},
      bounded_keys_{0};

  // adding.cpp
  /// Texts of one call that wait to be added.
  struct Request {
    std::span<CheckedText> texts;
    std::span<Answer> answers;
  };
  Result<void> add_group(std::span<Request* const> group);
  Result<void> add_others(std::span<CheckedText> texts, const Wanted& wanted, std::span<Answer> answers);
  Turns<Request> turns_{2};

  std::mutex counts_mutex_;  // of what follows
  std::array<std::int64_t, 3> counts_{};
  bool counted_ = false;
};

/// Opens it as the place says, on connections of this kind.
Result<std::unique_ptr<Home>> open_hbase_home(const Context& context, HBaseAddress address,
                                              HBaseConnect connect, const Settings& settings,
                                              const HBaseParts& parts);

}  // namespace leitong::online
