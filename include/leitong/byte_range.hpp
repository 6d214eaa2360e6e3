// A range of bytes in a text.
#pragma once

#include <cstddef>

namespace leitong {

/// A range of bytes, without its end.
struct ByteRange {
  std::size_t begin = 0;  ///< the first byte
  std::size_t end = 0;    ///< the byte after the last one

  /// The number of bytes.
  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
  /// Does it have no byte?
  [[nodiscard]] bool empty() const noexcept { return begin == end; }
  /// Equal ranges.
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

}  // namespace leitong
