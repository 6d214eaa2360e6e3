// An index on HBase, to which any number of processes can add. Each change is a commit (commits.hpp): a
// client reads what it needs after the latest commit, decides by itself, and makes the next commit.
//
// This file has everything that does not depend on the scheme. fingerprints.hpp and texts.hpp say what a text
// posts and which texts are near.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/changes.hpp"
#include "online/hbase/commits.hpp"
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
  Result<Changes> changes(std::string_view since, const ChangesWanted& wanted) override;
  Result<void> verify() override;
  Result<Figures> figures() override;
  Result<void> snapshot(const std::filesystem::path& folder) override;
  /// HBase frees the space when it compacts its files.
  Result<void> compact() override { return {}; }

 protected:
  /// A text that is being added. Until it is decided, its entry has only what does not depend on other texts.
  struct Arriving {
    CheckedText* text;
    Answer* answer;
    HBaseText entry;
  };

  HBaseHome(const Context& context, std::unique_ptr<HBaseLink> link, HBaseDescription& index);

  // The following functions depend on the scheme.
  /// The rows by which searches find a text under its name.
  [[nodiscard]] virtual std::vector<HBaseRow> postings(const HBaseText& entry) const = 0;
  /// Decides texts one after another: completes their entries and answers, and may add to the change.
  virtual Result<void> decide(std::span<Arriving> texts, HBaseChange& change) = 0;
  /// The answers for texts that are not added. None of them is refused.
  virtual Result<std::vector<Answer>> answers_of(std::span<CheckedText* const> texts) = 0;
  /// The match of `text`, a known near text, with the present representative of its family. Nothing if the
  /// representative was removed since it was read.
  virtual Result<std::optional<Match>> near_match(const HBaseText& match, const HBaseText& known,
                                                  const CheckedText& text) = 0;
  /// Sets what `successor`, which searches did not find before, posts.
  virtual Result<void> post_anew(HBaseText& successor) = 0;
  /// Returns what is wrong with an existing text; empty if nothing is wrong.
  virtual Result<std::string> damage(const HBaseText& entry, const std::string& text) = 0;
  virtual Result<void> add_figures(Figures& figures) = 0;

  Result<std::vector<CheckedText>> stamped(std::span<const Text> texts, Look look, const Wanted& wanted,
                                           bool to_be_added);

  // The entries of these ids; nothing for empty ids.
  Result<std::vector<std::optional<HBaseText>>> read(std::span<const std::string> ids);
  Result<std::vector<std::optional<HBaseText>>> read(std::span<const HBaseName> names);
  /// The names that hold these contents; empty for contents without a representative.
  Result<std::vector<HBaseName>> representatives(std::span<const ContentDigest* const> contents);
  Result<std::vector<std::optional<Stored>>> get_all(std::span<const std::string> ids) override;
  /// The compressed texts of existing entries.
  Result<std::vector<std::string>> packed(std::span<const HBaseText> texts);

  const std::unique_ptr<HBaseLink> link_;
  const bool wide_;
  const unsigned bits_;
  const std::size_t width_;
  const Secret secret_;

 private:
  Result<std::vector<std::optional<Stored>>> stored(std::span<const HBaseText> texts);
  /// The names of the representatives of these families.
  Result<std::vector<HBaseName>> family_representatives(std::span<const HBaseText> texts);
  /// Reads rows [begin, end) of a list, a page at a time. each() receives the keys without their first
  /// `behind` bytes.
  using EachPage = std::function<Result<void>(const std::vector<std::string>&)>;
  Result<void> each_of(std::string begin, const std::string& end, std::size_t behind, const EachPage& each);
  Result<void> verify_these(std::span<const std::string> ids, std::span<const std::string> texts);

  // changes.cpp
  /// What followers are told of a commit that is carried out.
  Result<HBaseTold> told_of(std::uint64_t commit);
  /// The part of these commits that a follower has seen.
  Result<Extent> seen_since(std::string_view since, std::uint64_t commits);
  /// Adds the changes of a commit that the follower has not seen, up to the limits. `bytes`: the bytes of all
  /// texts.
  Result<void> tell_commit(std::uint64_t commit, const HBaseTold& told, const ChangesWanted& wanted,
                           Extent& seen, Changes& changes, std::size_t& bytes);

  // Changes.
  /// The rows, beside its own, that refer to a text.
  [[nodiscard]] std::vector<HBaseRow> rows_of(const HBaseText& entry) const;
  /// Calls work(change) until its change is committed, or it returns false. REQUIRES the turn.
  Result<void> change_index(const std::function<Result<bool>(HBaseChange&)>& work);

  // adding.cpp
  /// Texts of one call that wait to be added.
  struct Request : Waiting {
    std::vector<Arriving> texts;
  };
  Result<void> add_together(std::span<Arriving> texts);
  Result<bool> add_some(std::span<Arriving> texts, HBaseChange& change);
  Result<Answer> answer_of_known(const HBaseText& known, const CheckedText& text);

  // removing.cpp
  Result<bool> remove_if(const std::string& id, const std::function<bool(const HBaseText&)>& wanted);
  /// Removes the texts of a list that are wanted. `behind`: as for each_of().
  Result<std::uint64_t> remove_listed(const std::string& begin, const std::string& end, std::size_t behind,
                                      const std::function<bool(const HBaseText&)>& wanted);
  Result<void> remove_one(const HBaseText& leaving, HBaseChange& change);
  Result<std::optional<HBaseText>> first_of(const std::string& list);

  Turns<Request> turns_{1};
  HBaseCommits commits_;  // used by the thread that has the turn
};

/// Opens the index of this address, on connections of this kind.
Result<std::unique_ptr<Home>> open_hbase_home(const Context& context, HBaseAddress address,
                                              HBaseConnect connect, const Settings& settings,
                                              const HBaseParts& parts);

}  // namespace leitong::online
