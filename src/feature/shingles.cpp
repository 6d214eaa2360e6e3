#include "feature/shingles.hpp"

#include <algorithm>
#include <array>

#include "feature/kernels.hpp"

namespace leitong {

void shingle_hashes(std::span<const Unit> units, PodVector<std::uint32_t>& hashes) {
  shingle_hashes(units, hashes, simd_level());
}

void shingle_hashes(std::span<const Unit> units, PodVector<std::uint32_t>& hashes, Simd level) {
  hashes.clear();
  if (units.empty()) return;
  const auto kernel = feature_kernels(level).shingles;
  if (units.size() >= kShingleUnits) {
    const std::size_t count = units.size() - kShingleUnits + 1;
    hashes.resize_for_overwrite(count);
    kernel(units.data(), count, hashes.data());
    return;
  }
  // Short texts are filled with a value that is no unit, so that a short text is no shingle of a long one.
  constexpr Unit kNoUnit = 0x7FFFFFFFu;
  std::array<Unit, kShingleUnits> filled;
  filled.fill(kNoUnit);
  std::copy(units.begin(), units.end(), filled.begin());
  hashes.resize_for_overwrite(1);
  kernel(filled.data(), 1, hashes.data());
}

void keyed_hashes(const SipKey& key, std::span<const Unit> units, std::size_t k,
                  std::span<const std::uint32_t> places, PodVector<std::uint64_t>& hashes) {
  hashes.resize_for_overwrite(places.size());
  feature_kernels(simd_level())
      .keyed(units.data(), places.data(), places.size(), k, key.low, key.high, hashes.data());
}

}  // namespace leitong
