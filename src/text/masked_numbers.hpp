// Masks numbers that do not count: each becomes one "0" before a text is folded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/byte_range.hpp"

namespace leitong {

/// A text in which every number is one "0".
class MaskedNumbers {
 public:
  /// Takes a text, valid UTF-8, and replaces the previous one. A number is a run of decimal digits of any
  /// script, with single points and commas between two of them (3.14, 10.0.0.1, 1,000). It includes a plus or
  /// minus directly before it if that follows white space, an opening bracket, `=`, `:`, or nothing.
  /// Characters that mean a number and something else (½) are no numbers. Linear.
  void take(std::string_view utf8);

  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  /// The bytes of the original text from which a part of text() was made. O(log numbers).
  [[nodiscard]] ByteRange original(const ByteRange& masked) const noexcept;

 private:
  struct Number {
    std::size_t at;  // place of its "0" in text_
    ByteRange original;
  };
  [[nodiscard]] const Number* last_before(std::size_t masked) const noexcept;

  std::string text_;
  std::vector<Number> numbers_;
};

}  // namespace leitong
