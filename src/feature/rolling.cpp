#include "feature/rolling.hpp"

#include <algorithm>

#include "feature/kernels.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kElementFactor = 0xC2B2AE3D27D4EB4Fu;
constexpr std::uint64_t kLengthFactor = 0x165667B19E3779F9u;

/// The number of hashes made at once: their arrays stay in the nearest caches.
constexpr std::size_t kBlock = 1024;

/// Makes neighbouring code points differ in their low bits, too.
std::uint64_t element(std::uint64_t x, std::uint64_t seed) {
  const std::uint64_t product = (x ^ seed) * kElementFactor;
  return product ^ product >> 32;
}

}  // namespace

template <class T>
void rolling_ngrams(std::span<const T> elements, const NgramParams& params, PodVector<std::uint64_t>& hashes,
                    Simd level) {
  hashes.clear();
  if (elements.empty()) return;
  const auto kernel = feature_kernels(level).ngrams;
  const std::size_t n = std::min(params.n, elements.size());
  const std::size_t count = elements.size() - n + 1;
  hashes.resize_for_overwrite(count + n);
  PodVector<std::uint64_t> space;
  const std::size_t room = std::min(count, kBlock) + n;
  space.resize_for_overwrite(2 * room);
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const std::size_t size = std::min(kBlock, count - begin);
    for (std::size_t i = 0; i < size + n - 1; ++i) space[i] = element(elements[begin + i], params.seed);
    kernel(space.data(), size, n, kLengthFactor * n, space.data() + room, hashes.data() + begin);
  }
  hashes.resize_for_overwrite(count);
}

template void rolling_ngrams(std::span<const char32_t>, const NgramParams&, PodVector<std::uint64_t>&, Simd);
template void rolling_ngrams(std::span<const std::uint32_t>, const NgramParams&, PodVector<std::uint64_t>&,
                             Simd);
template void rolling_ngrams(std::span<const std::uint64_t>, const NgramParams&, PodVector<std::uint64_t>&,
                             Simd);

}  // namespace leitong
