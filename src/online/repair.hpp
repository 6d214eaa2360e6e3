// Repairs a damaged index from the texts that can be read.
#pragma once

#include <filesystem>

#include "leitong/context.hpp"
#include "leitong/result.hpp"

namespace leitong::online {

/// Marks an index whose repair is not complete, because an interrupted repair leaves incomplete postings,
/// which must not be used. One process at a time repairs an index.
class RepairMark {
 public:
  /// `place`: the folder of the index; empty for one in memory, which never has the mark.
  explicit RepairMark(const std::filesystem::path& place);
  RepairMark(const RepairMark&) = delete;
  RepairMark& operator=(const RepairMark&) = delete;
  ~RepairMark();

  [[nodiscard]] bool is_set() const;
  /// Sets the mark, durably, and keeps other processes from doing so during the life of this object. Fails
  /// with io, also if another process repairs the index.
  Result<void> set();
  /// Removes the mark, durably. Fails with io.
  Result<void> clear();

 private:
  std::filesystem::path path_;
  int file_ = -1;
};

/// Builds the postings of the index again, and its store if parts of it are unreadable. It may be interrupted
/// and repeated, as leitong/online.hpp promises for rebuild().
Result<void> repair_index(const Context& context, const std::filesystem::path& place);

}  // namespace leitong::online
