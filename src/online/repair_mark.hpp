// A mark on an index whose repair isn't over: a repair that is interrupted leaves postings that lack texts,
// and nobody is to open them as if they were whole. One process at a time repairs an index.
#pragma once

#include <filesystem>

#include "leitong/result.hpp"

namespace leitong::online {

class RepairMark {
 public:
  /// `place`: the folder of the index; empty for one in memory, which never has the mark.
  explicit RepairMark(const std::filesystem::path& place);
  RepairMark(const RepairMark&) = delete;
  RepairMark& operator=(const RepairMark&) = delete;
  ~RepairMark();

  [[nodiscard]] bool is_set() const;
  /// Sets it, and keeps other processes from doing so as long as this object lives. Durable. Fails with io,
  /// also if another process repairs the index.
  Result<void> set();
  /// Takes it away. Durable. Fails with io.
  Result<void> clear();

 private:
  std::filesystem::path path_;
  int file_ = -1;
};

}  // namespace leitong::online
