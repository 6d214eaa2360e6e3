// The postings of an index in a folder: a long table in memory becomes a segment, and segments are merged.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"
#include "online/index_core.hpp"

namespace leitong::online {

/// Changes run one at a time: the caller has the turn (committer.hpp).
class Segments {
 public:
  explicit Segments(IndexCore& core) : core_(core), flush_at_(core.settings.postings_in_memory) {}

  /// Opens the segments of the store's list, and removes the files of others.
  Result<void> load(const std::vector<SegmentName>& names);

  /// The number of postings that are not in segments; or the number of texts, if they post fewer than one
  /// each.
  [[nodiscard]] std::uint64_t unsealed() const noexcept {
    return std::max<std::uint64_t>(core_.state.table.postings(), core_.state.records.size());
  }
  [[nodiscard]] bool must_flush() const noexcept { return !core_.place.empty() && unsealed() >= flush_at_; }
  /// Moves the table to a segment, and writes the new list to the store.
  Result<void> flush();
  /// The same, if the table is long. A failure loses nothing, since the log has everything: it is tried again
  /// after some more postings.
  void flush_if_due() noexcept;

  /// Writes the table as a segment of `list`, and merges segments if there are enough of one tier. Readers
  /// see nothing of it before show().
  Result<void> seal(SegmentList& list);
  /// Merges the last segments into one; `note` receives its postings. `forget`: drops the records of removed
  /// texts.
  Result<void> merge_last(std::size_t count, bool forget, SegmentList& list,
                          const std::function<void(const Posting&)>& note);
  /// Replaces the segments; the table becomes empty.
  void show(SegmentList list);
  /// Removes the files of segments that are not in the list. Readers keep those mapped that they read.
  void remove_others(const SegmentList& list) const;
  /// New files get other numbers than those in the folder, which the store's list may still name.
  void avoid_numbers_in_folder();

 private:
  Result<void> add(const SegmentContent& content, std::uint32_t tier, SegmentList& list);

  IndexCore& core_;
  std::uint64_t flush_at_;  // value of unsealed() at which to flush
  std::uint32_t next_number_ = 1;
};

/// Removes the files and folders in a folder whose names begin with this, except the known ones. Does nothing
/// for an empty path.
void remove_others(const std::filesystem::path& folder, std::string_view prefix,
                   const std::vector<std::filesystem::path>& known);

}  // namespace leitong::online
