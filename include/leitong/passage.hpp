// A passage that two texts share.
#pragma once

#include <cstddef>

#include "leitong/byte_range.hpp"

namespace leitong {

/// A shared passage, as bytes of both original texts. Its folded units are equal; its bytes may differ (case,
/// width, script, punctuation).
struct Passage {
  ByteRange a;            ///< in the first text
  ByteRange b;            ///< in the second text
  std::size_t units = 0;  ///< its length after folding
};

}  // namespace leitong
