// A text divided where its shared passages begin and end, for both renderings of a comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "leitong/passage.hpp"

namespace leitong {

enum class Side : std::uint8_t { a, b };

/// A stretch of one text, never empty.
struct MarkedStretch {
  ByteRange bytes;
  std::size_t passage = 0;  ///< number of the passage, from 1 in order of A; 0 if it is not shared
};

/// Divides the first `bytes` bytes of a text into stretches without gap or overlap, in order of the text. O(p
/// log p) for p passages.
[[nodiscard]] std::vector<MarkedStretch> marked_stretches(std::size_t bytes,
                                                          std::span<const Passage> passages, Side side);

}  // namespace leitong
