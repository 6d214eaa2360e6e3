#include "base/kernel_families.hpp"
#include "base/siphash.hpp"
#include "feature/kernels_loops.hpp"

namespace leitong {
namespace {

std::size_t choices(const u32* values, const u32* minima, std::size_t count, std::size_t window, bool first,
                    u32* places) {
  std::size_t found = 0;
  for (std::size_t i = first ? 0 : 1; i < count; ++i) {
    if (i > 0 && minima[i] == minima[i - 1]) continue;
    std::size_t place = i + window - 1;
    while (values[place] != minima[i]) --place;
    places[found++] = static_cast<u32>(place);
  }
  return found;
}

std::size_t sort_buckets(const u32* slots, const std::uint8_t* counts, std::size_t from, std::size_t buckets,
                         u32*& out) {
  for (std::size_t b = from; b < buckets; ++b) {
    if (counts[b] > kBucketSlots) return b;
    u32* const begin = out;
    for (std::size_t i = 0; i < counts[b]; ++i) {
      const u32 value = slots[b * kBucketSlots + i];
      u32* place = out;
      while (place > begin && place[-1] > value) --place;
      if (place > begin && place[-1] == value) continue;
      for (u32* p = out; p > place; --p) *p = p[-1];
      *place = value;
      ++out;
    }
  }
  return buckets;
}

void keyed(const u32* units, const u32* places, std::size_t count, std::size_t k, u64 low, u64 high,
           u64* hashes) {
  for (std::size_t i = 0; i < count; ++i)
    hashes[i] = siphash({low, high}, {reinterpret_cast<const char*>(units + places[i]), k * sizeof(u32)});
}

}  // namespace

const FeatureKernels& feature_kernels_scalar() noexcept {
  static constexpr FeatureKernels kernels{shingle_loop,   selection_loop, minima_loop, choices,
                                          ngrams_rolling, keyed,          sort_buckets};
  return kernels;
}

const FeatureKernels& feature_kernels(Simd level) noexcept {
  LEITONG_RETURN_KERNEL(level, feature_kernels_scalar(), feature_kernels_avx2(), feature_kernels_avx512());
}

}  // namespace leitong
