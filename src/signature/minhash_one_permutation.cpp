#include "signature/minhash_one_permutation.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/hash.hpp"
#include "signature/minhash.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kSeed = 0x94d049bb133111ebULL;
constexpr std::uint64_t kEmptyBin = UINT64_MAX;

std::size_t bin_of(std::uint64_t hash, std::size_t bins) { return (hash >> 32) * bins >> 32; }

}  // namespace

bool minhash_one_permutation(std::span<const std::uint32_t> elements, std::span<std::uint32_t> values) {
  assert(!values.empty() && values.size() <= kMaxMinhashValues);
  if (elements.empty()) return false;
  const std::size_t bins = values.size();
  std::array<std::uint64_t, kMaxMinhashValues> least;
  std::fill_n(least.begin(), bins, kEmptyBin);
  for (const std::uint32_t element : elements) {
    const std::uint64_t hash = mix64(element ^ kSeed);
    std::uint64_t& bin = least[bin_of(hash, bins)];
    if ((hash & UINT32_MAX) < bin) bin = hash & UINT32_MAX;
  }
  for (std::size_t bin = 0; bin < bins; ++bin) {
    std::size_t from = bin;
    for (std::uint64_t attempt = 1; least[from] == kEmptyBin; ++attempt)
      from = bin_of(mix64(bin << 32 | attempt), bins);
    values[bin] = static_cast<std::uint32_t>(least[from]);
  }
  return true;
}

}  // namespace leitong
