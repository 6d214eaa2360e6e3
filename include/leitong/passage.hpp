// A stretch of text that two texts share.
#pragma once

#include <cstddef>

#include "leitong/byte_range.hpp"

namespace leitong {

/// A shared passage in the bytes of both originals. Its folded units are equal; the bytes needn't be (case,
/// width, script, punctuation).
struct Passage {
  ByteRange a;            ///< in the first text
  ByteRange b;            ///< in the second text
  std::size_t units = 0;  ///< letters of comparison that it holds
};

}  // namespace leitong
