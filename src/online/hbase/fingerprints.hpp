// An index of fingerprints on HBase, for any number of processes that add to it. No server decides here, and
// nothing changes in two rows at one moment; so that of two near texts which come at once exactly one is new:
//
//   Put first, then query. A text is written down as pending, and its fingerprint goes into the tables,
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
#include "online/hbase/description.hpp"
#include "online/hbase/entry.hpp"
#include "online/hbase/keys.hpp"
#include "online/hbase/link.hpp"
#include "online/server_home.hpp"
#include "online/turns.hpp"

namespace leitong::online {

class HBaseFingerprints final : public ServerHome {
 public:
  HBaseFingerprints(const Context& context, std::unique_ptr<HBaseLink> link, HBaseDescription index);

  Result<std::vector<Answer>> check(std::span<const Text> texts, Look look, const Wanted& wanted) override;
  Result<std::vector<Answer>> add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                  ExpectedVersion expected) override;
  Result<bool> remove(std::string_view id, ExpectedVersion expected) override;
  Result<std::uint64_t> remove_source(std::string_view source) override;
  Result<std::uint64_t> expire(Seconds before) override;
  Result<void> for_each_stored(const std::string* source, const EachStored& each) override;
  Result<Explanation> explain(std::string_view text) override;
  Result<void> verify() override;
  Result<Figures> figures() override;
  Result<void> snapshot(const std::filesystem::path& folder) override;
  /// There is nothing to give up: HBase does so when it compacts its files.
  Result<void> compact() override { return {}; }

 private:
  /// An entry as it was read; `bytes` are those that a checked put names. Empty where there is none.
  struct Known {
    HBaseText entry;
    std::string bytes;
    [[nodiscard]] bool exists() const noexcept {
      return !bytes.empty() && entry.stage != HBaseText::Stage::removed;
    }
    [[nodiscard]] bool is(HBaseText::Stage state) const noexcept {
      return !bytes.empty() && entry.stage == state;
    }
    [[nodiscard]] bool seen() const noexcept {
      return is(HBaseText::Stage::settled) || is(HBaseText::Stage::leaving);
    }
    [[nodiscard]] bool seen_as(const HBaseName& name) const noexcept {
      return seen() && entry.time == name.time;
    }
  };
  /// A text within the distance, by what the tables say.
  struct Near {
    HBaseName name;
    unsigned distance = 0;
  };
  struct Found {
    std::vector<Near> near;  ///< by name
    bool bounded = false;    ///< there were more texts in a row than are looked at
  };
  /// Texts on their way into the index (adding.cpp).
  struct Arriving;
  class Batch;

  // What is read: of empty ids nothing.
  Result<std::vector<Known>> read(std::span<const std::string> ids);
  Result<Known> read(const std::string& id);
  /// Names that hold these contents; empty ones where there is none.
  Result<std::vector<HBaseName>> holders(std::span<const ContentDigest* const> contents);
  Result<std::vector<Found>> find(std::span<const Stamp* const> stamps);
  Result<void> find_some(std::span<const Stamp* const> stamps, std::span<Found> found);
  Result<std::vector<std::optional<Stored>>> get_all(std::span<const std::string> ids) override;
  Result<std::vector<std::optional<Stored>>> stored(std::span<const Known> texts);
  /// Compressed texts of entries that are there.
  Result<std::vector<std::string>> packed(std::span<const Known> texts);
  /// The names that stand for the families of these.
  Result<std::vector<HBaseName>> heads(std::span<const Known> texts);
  /// Rows [begin, end) of a list, a page at a time: each(what stands behind `behind` bytes of the keys),
  /// which says whether it goes on.
  using EachPage = std::function<Result<bool>(const std::vector<std::string>&)>;
  Result<void> each_of(std::string begin, const std::string& end, std::size_t behind, const EachPage& each);

  // What is asked and answered.
  Result<std::vector<Answer>> answers_of(std::span<const CheckedText> texts, const Wanted& wanted);
  [[nodiscard]] Match match_of(const HBaseText& entry, Verdict verdict, unsigned distance) const;
  /// A text that was there before, or was settled by another one.
  Result<Answer> answer_of_known(const Known& text);

  // What is changed.
  [[nodiscard]] HBaseCheckedPut change(const Known& from, const HBaseText& to) const;
  /// Puts `to` in the place of what was read; false if that has changed.
  Result<bool> change_one(Known& known, const HBaseText& to);
  [[nodiscard]] std::vector<HBaseRow> postings(const Stamp& stamp, const HBaseName& name) const;
  [[nodiscard]] std::vector<HBaseRow> lists(const HBaseText& entry) const;
  /// Makes sure that a pending text looks again before it is settled. What is known of it then says whether
  /// it still is pending.
  Result<void> raise(Known& known);
  std::uint64_t now();
  void count(Verdict verdict, int change);
  Result<void> put_counts();

  // removing.cpp
  [[nodiscard]] tl::unexpected<Error> no_end(std::string_view id) const;
  Result<bool> remove_if(const std::string& id, const std::function<bool(const HBaseText&)>& wanted);
  Result<bool> remove_listed(const std::vector<std::string>& listed, std::uint64_t& removed,
                             const std::function<bool(const HBaseText&)>& wanted);
  /// Goes on with a text that leaves until it is gone, whoever began it.
  Result<void> finish_leaving(Known known);
  Result<bool> choose_heir(Known& known);
  Result<std::optional<bool>> promote_heir(const HBaseText& leaving);
  Result<void> hand_over(const std::string& key, const HBaseName& from, const HBaseName* to);

  const std::unique_ptr<HBaseLink> link_;
  const std::vector<TableKey> tables_;
  const bool wide_;
  const unsigned bits_;
  const std::size_t width_;
  const std::uint64_t writer_;  ///< whose counts these are
  std::atomic<std::uint64_t> last_time_{0}, checks_{0}, bounded_ids_{0};

  /// Texts of one call that wait to be added.
  struct Request {
    std::span<CheckedText> texts;
    std::span<Answer> answers;
    const Wanted& wanted;
  };
  Result<void> add_group(std::span<Request* const> group);
  Result<void> add_others(std::span<const CheckedText> texts, const Wanted& wanted,
                          std::span<Answer> answers);
  Turns<Request> turns_{2};

  std::mutex counts_mutex_;  // of what follows
  std::array<std::int64_t, 3> counts_{};
  bool counted_ = false;
};

/// Opens it as the place says, on connections of this kind.
Result<std::unique_ptr<Home>> open_hbase_fingerprints(const Context& context, HBaseAddress address,
                                                      HBaseConnect connect, const Settings& settings,
                                                      const HBaseParts& parts);

}  // namespace leitong::online
