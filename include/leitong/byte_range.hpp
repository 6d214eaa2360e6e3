// A range of bytes in a text.
#pragma once

#include <cstddef>

namespace leitong {

/// Half-open range of bytes.
struct ByteRange {
  std::size_t begin = 0;  ///< the first byte
  std::size_t end = 0;    ///< the byte after the last one

  /// In bytes.
  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
  /// No byte at all?
  [[nodiscard]] bool empty() const noexcept { return begin == end; }
  /// The same bytes of one text.
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

}  // namespace leitong
