#include "feature/keyed_hashes.hpp"

#include "feature/kernels.hpp"

namespace leitong {

void keyed_hashes(const SipKey& key, std::span<const Unit> units, std::size_t k,
                  std::span<const std::uint32_t> places, PodVector<std::uint64_t>& hashes) {
  hashes.resize_for_overwrite(places.size());
  feature_kernels(simd_level())
      .keyed(units.data(), places.data(), places.size(), k, key.low, key.high, hashes.data());
}

}  // namespace leitong
