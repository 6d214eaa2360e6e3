// A stretch of a text.
#pragma once

#include <cstddef>

namespace leitong {

/// Half-open range of bytes.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
  [[nodiscard]] bool empty() const noexcept { return begin == end; }
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

}  // namespace leitong
