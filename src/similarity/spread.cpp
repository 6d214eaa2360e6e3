#include "similarity/spread.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace leitong {

HashLookup::HashLookup(std::span<const std::uint32_t> set) : set_(set) {
  if (set.size() < kAtOnce) return;
  // The number of bits is chosen so that 1 or 2 hashes have each prefix.
  shift_ = 32 - static_cast<unsigned>(std::bit_width(set.size()) - 1);
  begin_.resize((std::size_t{1} << (32 - shift_)) + 1, 0);
  for (const std::uint32_t hash : set) ++begin_[(hash >> shift_) + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
}

bool is_shared(std::span<const std::uint32_t> ordered, const HashLookup& other,
               const Spread& spread) noexcept {
  const std::size_t stretches = (ordered.size() + kStretch - 1) / kStretch;
  // The number is rounded, because the product may be inexact in binary and one stretch would be lost.
  auto may_miss = static_cast<std::size_t>((1 - spread.stretches) * static_cast<double>(stretches) + 1e-9);
  for (std::size_t begin = 0; begin < ordered.size(); begin += kStretch) {
    const auto stretch = ordered.subspan(begin, std::min(kStretch, ordered.size() - begin));
    const std::size_t needed = (stretch.size() + spread.one_of - 1) / spread.one_of;
    std::size_t shared = 0;
    for (const std::uint32_t shingle : stretch) {
      shared += other.contains(shingle);
      if (shared == needed) break;
    }
    if (shared < needed && may_miss-- == 0) return false;
  }
  return true;
}

}  // namespace leitong
