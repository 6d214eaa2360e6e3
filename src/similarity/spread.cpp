#include "similarity/spread.hpp"

#include <algorithm>

namespace leitong {

bool shared_throughout(std::span<const std::uint32_t> ordered,
                       std::span<const std::uint32_t> other) noexcept {
  const std::size_t stretches = (ordered.size() + kStretch - 1) / kStretch;
  std::size_t may_miss = stretches / 10;
  for (std::size_t begin = 0; begin < ordered.size(); begin += kStretch) {
    const auto stretch = ordered.subspan(begin, std::min(kStretch, ordered.size() - begin));
    const std::size_t needed = (stretch.size() + 7) / 8;
    std::size_t shared = 0;
    for (const std::uint32_t shingle : stretch) {
      shared += std::binary_search(other.begin(), other.end(), shingle);
      if (shared == needed) break;
    }
    if (shared < needed && may_miss-- == 0) return false;
  }
  return true;
}

}  // namespace leitong
