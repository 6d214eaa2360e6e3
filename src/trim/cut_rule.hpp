// Which parts of a document are cut, given what stays of the documents before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "leitong/byte_range.hpp"
#include "leitong/trim.hpp"
#include "trim/cuttable_text.hpp"
#include "trim/part_groups.hpp"

namespace leitong {

/// Where a part that stays begins, and how much of a cut stands there without a gap.
struct KeptPlaceOfPart {
  DocId document = 0;
  std::uint32_t at = 0;     ///< as RepeatedPart::at
  std::uint32_t count = 0;  ///< units of a passage; 1 for other parts
};

/// A piece of a document that is cut.
struct Cut {
  ByteRange bytes;              ///< of the text
  std::size_t units = 0;        ///< that it holds
  std::uint64_t documents = 0;  ///< that hold the part; of a passage, its first run
  std::optional<KeptPlaceOfPart> kept = std::nullopt;
  std::uint64_t group = 0;  ///< of the part; of a passage, of its first run
};

/// Decides document by document, in their order. A part that is seen for the first time stays. A run of units
/// that stays is one that no cut touches: of those with which a cut overlaps, the next equal run is the first
/// one again. Memory: two bits a group, and 8 bytes more if places are wanted.
class CutRule {
 public:
  /// `least`: units of a run, where parts are passages. `places`: are Cut::kept wanted? With KeptPart::none
  /// there are none.
  CutRule(const TrimSettings& settings, std::size_t least, std::uint64_t groups, bool places);

  /// Replaces `cuts` by those of the next document, by their place. `repeated`: its parts, in their order.
  /// Returns true if the document is removed, since too few units are left.
  bool decide(std::span<const RepeatedPart> repeated, CuttableText& text, std::vector<Cut>& cuts);

 private:
  /// A run of the present document that stays unless a cut that is still to come overlaps with it.
  struct Waiting {
    std::uint32_t at;
    std::uint64_t group;
  };

  void cut_parts(std::span<const RepeatedPart> repeated, CuttableText& text, std::vector<Cut>& cuts);
  void cut_runs(std::span<const RepeatedPart> repeated, CuttableText& text, std::vector<Cut>& cuts);
  /// Returns the last of the successive runs from unit `at` of the first part on that have to be cut, and
  /// fills chain_ if places are wanted. `own`: runs that wait are cut, too.
  std::size_t find_chain(std::span<const RepeatedPart> repeated, std::size_t at, bool own);
  /// Waiting runs that end at `unit` or before it stay.
  void settle(std::size_t unit);
  /// Waiting runs that end behind `unit` do not.
  void drop_behind(std::size_t unit);
  void stay(std::uint64_t group, DocId document, std::uint32_t at);
  [[nodiscard]] bool stands(std::uint64_t group) const { return all_ || stands_[group]; }
  /// For units [begin, end), of successive runs from unit `at` on that are in these groups.
  [[nodiscard]] std::optional<KeptPlaceOfPart> kept_place(std::span<const std::uint64_t> groups,
                                                          std::size_t at, std::size_t begin,
                                                          std::size_t end) const;

  TrimSettings settings_;
  std::size_t least_;
  bool all_;                          // every part of a group is cut
  std::vector<bool> stands_, waits_;  // by group
  std::vector<std::uint64_t> places_;
  std::deque<Waiting> waiting_;
  std::vector<std::uint64_t> made_;   // groups that stand since this document
  std::vector<std::uint64_t> chain_;  // groups of the runs that are to be cut together
};

}  // namespace leitong
