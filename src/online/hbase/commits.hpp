// The changes of an index on HBase, one after another. No server decides here, and no two rows can change at
// the same moment. So a writer computes a change from what it reads after commit N, and makes it commit N + 1
// by one checked put. If another writer was faster, the put fails, and the change is computed again. The
// change is valid from the put on. Then the writer carries it out in the rows. If the writer ends before
// that, the next one does it, because each writer carries out all earlier commits before it reads.
//
// All cells of a change have its number as their version. So a change may be carried out twice, or late by a
// client that was slow, without an effect on what later changes put.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/result.hpp"
#include "online/hbase/keys.hpp"
#include "online/hbase/link.hpp"

namespace leitong::online {

/// An index after a commit.
struct HBaseMoment {
  std::uint64_t commit = 0;               ///< its number
  std::uint64_t next = 1;                 ///< number of the next text
  std::array<std::uint64_t, 3> counts{};  ///< of texts, by their verdicts
};

/// The most texts that one commit adds.
inline constexpr std::size_t kTextsInCommit = 256;

/// A text that a commit adds or removes.
struct HBaseNews {
  bool left = false;
  HBaseName name;  ///< for a removed text only the id counts
};
/// The content of a row told_key(): the mark of the commit, the text that it removed, if there is one, and
/// those that it added.
struct HBaseTold {
  std::uint64_t mark = 0;
  std::vector<HBaseNews> news;
};
/// False for bytes that are no such content.
[[nodiscard]] bool read_told(std::string_view bytes, HBaseTold& told);

/// Cells that change together. Of several values of a cell the last one counts.
class HBaseChange {
 public:
  explicit HBaseChange(const HBaseMoment& before) : after(before), before_(before) { ++after.commit; }

  /// Tells followers that a text was added or removed.
  void tell(const HBaseNews& news);

  void put(const HBaseRow& row) {
    for (const HBaseCell& cell : row.cells) cells_[{row.key, cell.column}] = cell.value;
  }
  void remove(const HBaseRow& row) {
    for (const HBaseCell& cell : row.cells) cells_[{row.key, cell.column}].reset();
  }
  [[nodiscard]] std::string bytes() const;
  /// Nothing for bytes that are no change.
  static std::optional<HBaseChange> read(std::string_view bytes);

  /// Turns the change into one of a later moment.
  void move_to(const HBaseMoment& before);

  HBaseMoment after;

 private:
  friend class HBaseCommits;
  HBaseMoment before_;
  std::string told_;                                                                 // to followers
  std::map<std::pair<std::string, std::string>, std::optional<std::string>> cells_;  // no value: removed
};

/// The commits of an index. Only one writer at a time may use it.
class HBaseCommits {
 public:
  explicit HBaseCommits(HBaseLink& link) : link_(link) {}

  /// Carries out what other writers left, and returns the moment after it.
  Result<HBaseMoment> follow();
  /// False if other writers changed what the change was computed from.
  Result<bool> commit(HBaseChange& change, const HBaseLink::Reads& reads);

 private:
  /// Follows the writers that were faster, as follow() does. False as for commit().
  Result<bool> follow_others(HBaseChange& change, const HBaseLink::Reads& reads);
  /// `mark`: the mark with which the commit begins.
  Result<void> carry_out(const HBaseChange& change, std::string_view mark);

  HBaseLink& link_;
  std::uint64_t known_ = 0;  ///< the latest commit that is known to be carried out
};

/// The moment up to which all changes are carried out. Thread-safe.
Result<HBaseMoment> present_moment(HBaseLink& link);

}  // namespace leitong::online
