// A mark on an index whose repair isn't over: a repair that is interrupted leaves postings that lack texts,
// and nobody is to open them as if they were whole.
#pragma once

#include <filesystem>

#include "leitong/result.hpp"

namespace leitong::online {

class RepairMark {
 public:
  /// `place`: the folder of the index; empty for one in memory, which never has the mark.
  explicit RepairMark(const std::filesystem::path& place);

  [[nodiscard]] bool is_set() const;
  /// Both are durable. Fail with io.
  Result<void> set() const;
  Result<void> clear() const;

 private:
  std::filesystem::path path_;
};

}  // namespace leitong::online
