// An index on HBase, to which any number of processes can add. No server decides here, and no two rows can
// change at the same moment. Yet if two near texts arrive together, exactly one of them becomes new:
//
// Put first, then query. A text is written as pending, and posted in the tables, before it searches for near
// texts: of two texts at least one sees the other. The one with the smaller (time, id) comes first. A text
// that meets a pending one of a smaller name waits for its outcome. Before a text becomes new, it raises the
// round of all pending texts of larger names that it met. This changes their cells, so that their owners
// search again and see it. A text is settled by one checked put into its own cell, which fails if the round
// was raised.
//
// A client that waits too long for another one takes over its text (the owner in the cell) and settles it, so
// nobody waits for a client that is gone. Different clocks change only which text is the first. A copy
// belongs to the first text that put its name under its content by a checked put. A text that is removed is
// first marked, then its successor takes its place, then it is deleted; a client that meets a marked text
// completes this first.
//
// This file has what does not depend on what texts are compared by. fingerprints.hpp and texts.hpp say what a
// text posts and which texts are near.
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
  Result<std::uint64_t> remove(const Which& which, ExpectedVersion expected) override;
  Result<void> for_each_stored(const std::string* source, const EachStored& each) override;
  Result<void> verify() override;
  Result<Figures> figures() override;
  Result<void> snapshot(const std::filesystem::path& folder) override;
  /// HBase frees the space when it compacts its files.
  Result<void> compact() override { return {}; }

 protected:
  HBaseHome(const Context& context, std::unique_ptr<HBaseLink> link, HBaseDescription& index);

  // The following depends on what texts are compared by.
  /// Adds what the entry says of the text and, for a pending one, what it posts.
  virtual void note_text(const CheckedText& text, HBaseText& entry) = 0;
  virtual void note_posted(CheckedText& text, HBaseText& entry) = 0;
  /// The rows by which searches find it under its name.
  [[nodiscard]] virtual std::vector<HBaseRow> postings(const HBaseText& entry) const = 0;
  /// For texts whose postings are written: searches for near texts, unless the result is known and valid.
  /// Fills their outlooks: the entry (verdict, first, stands) and the answer; those of a new text if nothing
  /// is near.
  virtual Result<void> look(std::span<HBaseArriving* const> texts) = 0;
  /// Called when these texts were settled.
  virtual Result<void> settled(std::span<HBaseArriving* const> texts) = 0;
  /// The answers for texts that are not added.
  virtual Result<std::vector<Answer>> answers_of(std::span<CheckedText> texts, const Wanted& wanted) = 0;
  /// The match of `text`, an exact or near text, with the present representative. Nothing if one of them was
  /// removed since it was read.
  virtual Result<std::optional<Match>> match_of(const HBaseKnown& match, const HBaseText& text) = 0;
  /// `successor`, a copy of the leaving text or a member of its family, takes its place: sets what
  /// `successor` posts from then on.
  virtual Result<void> inherit(const HBaseKnown& was, const HBaseText& leaving, bool copy,
                               HBaseText& successor) = 0;
  /// What is wrong with an existing text; empty if nothing is.
  virtual Result<std::string> damage(const HBaseText& entry, const std::string& text) = 0;
  virtual Result<void> add_figures(Figures& figures) = 0;
  /// The number of texts, as counted by the writers.
  Result<std::uint64_t> texts_counted();

  Result<std::vector<CheckedText>> stamped(std::span<const Text> texts, Look look, bool to_be_added);

  // The entries of these ids; of empty ids nothing.
  Result<std::vector<HBaseKnown>> read(std::span<const std::string> ids);
  Result<HBaseKnown> read(const std::string& id);
  /// The names that hold these contents; empty for contents without a representative.
  Result<std::vector<HBaseName>> representatives(std::span<const ContentDigest* const> contents);
  Result<std::vector<std::optional<Stored>>> get_all(std::span<const std::string> ids) override;
  /// The compressed texts of existing entries.
  Result<std::vector<std::string>> packed(std::span<const HBaseKnown> texts);

  /// Replaces what was read by `to`.
  struct Change {
    HBaseKnown* known;
    HBaseText to;
    HBaseCheckedPut put;
  };
  [[nodiscard]] Change change(HBaseKnown& known, HBaseText to) const;
  /// Tells which changes were made: not those of cells that no longer are what was read. `known` then has the
  /// present entry.
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
  /// The names of the representatives of these families.
  Result<std::vector<HBaseName>> heads(std::span<const HBaseKnown> texts);
  /// Reads rows [begin, end) of a list, a page at a time. each() receives the keys without their first
  /// `behind` bytes and returns whether to continue.
  using EachPage = std::function<Result<bool>(const std::vector<std::string>&)>;
  Result<void> each_of(std::string begin, const std::string& end, std::size_t behind, const EachPage& each);
  /// The answer for a text that existed before, or that another client settled.
  Result<Answer> answer_of_known(const HBaseKnown& text);
  Result<void> verify_these(std::span<const std::string> ids, std::span<const std::string> texts);

  // Changes.
  [[nodiscard]] std::vector<HBaseRow> lists(const HBaseText& entry) const;
  /// Makes a pending text search again before it is settled. Its entry then tells whether it is still
  /// pending.
  Result<void> raise(HBaseKnown& known);
  std::uint64_t now();
  void count(Verdict verdict, int change);
  Result<void> put_counts();
  Result<std::array<std::int64_t, 3>> sums_of_counts(bool own);

  // removing.cpp
  [[nodiscard]] tl::unexpected<Error> no_end(std::string_view id) const;
  Result<bool> remove_if(const std::string& id, const std::function<bool(const HBaseText&)>& wanted);
  /// Removes the texts of a list that are wanted. `behind`: as for each_of().
  Result<std::uint64_t> remove_listed(const std::string& begin, const std::string& end, std::size_t behind,
                                      const std::function<bool(const HBaseText&)>& wanted);
  /// Completes the removal of a text, whichever client began it.
  Result<void> finish_leaving(HBaseKnown known);
  Result<bool> choose_successor(HBaseKnown& known);
  Result<std::optional<bool>> promote_successor(const HBaseText& leaving);
  Result<void> hand_over(const std::string& key, const HBaseName& from, const HBaseName* to);

  const std::uint64_t writer_;  ///< the writer whose counts these are
  std::atomic<std::uint64_t> last_time_{0};

  // adding.cpp
  /// Texts of one call that wait to be added.
  struct Request {
    std::span<CheckedText> texts;
    std::span<Answer> answers;
  };
  Result<void> add_group(std::span<Request* const> group);
  Result<void> add_others(std::span<CheckedText> texts, const Wanted& wanted, std::span<Answer> answers);
  Turns<Request> turns_{2};

  std::mutex counts_mutex_;  // guards what follows
  std::array<std::int64_t, 3> counts_{};
  bool counted_ = false;
};

/// Opens the index of this address, on connections of this kind.
Result<std::unique_ptr<Home>> open_hbase_home(const Context& context, HBaseAddress address,
                                              HBaseConnect connect, const Settings& settings,
                                              const HBaseParts& parts);

}  // namespace leitong::online
