// Does the answer to a question stand near it?
#pragma once

#include <string_view>
#include <vector>

#include "base/pod_vector.hpp"
#include "leitong/byte_range.hpp"
#include "text/units.hpp"

namespace leitong {

/// The answers to one question, any of which will do.
class Answers {
 public:
  /// Adds an answer. One without a unit says nothing, and a single letter from a to h, the label of a choice,
  /// stands beside any choice: both are left out. REQUIRES: valid UTF-8.
  void add(std::string_view utf8);
  [[nodiscard]] bool empty() const noexcept { return answers_.empty(); }
  /// Does one of them stand in `text` within `passage` or near it: up to 200 characters before and behind it,
  /// or up to 40 if the answer has less than 4 units? REQUIRES: valid UTF-8; the passage lies between
  /// characters.
  [[nodiscard]] bool stand_near(std::string_view text, ByteRange passage) const;

 private:
  std::vector<PodVector<Unit>> answers_;
};

}  // namespace leitong
