// A text in which ranges were replaced, with the places of the original.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/byte_range.hpp"

namespace leitong {

/// A text in which ranges were replaced.
class RewrittenText {
 public:
  /// Begins with a new original, which must outlive the calls of replace() and end().
  void begin(std::string_view original);
  /// Replaces a range that begins at or behind the end of the range before, by `by`.
  void replace(const ByteRange& range, std::string_view by);
  /// Appends the rest of the original.
  void end();

  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  /// The bytes of the original that a part of text() came from. A part of a replacement comes from the whole
  /// range that was replaced; a range that was replaced by nothing belongs to a part only if the part begins
  /// before it and ends behind it. O(log replacements).
  [[nodiscard]] ByteRange original(const ByteRange& rewritten) const noexcept;

 private:
  struct Replacement {
    ByteRange rewritten, original;
  };
  [[nodiscard]] std::size_t original_of(std::size_t at, bool is_end) const noexcept;

  std::string_view original_;
  std::size_t copied_ = 0;  // bytes of the original
  std::string text_;
  std::vector<Replacement> replacements_;
};

}  // namespace leitong
