#include "signature/simhash.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <vector>

#include "base/hash.hpp"
#include "signature/nibble_masks.hpp"
#include "signature/simhash_kernel.hpp"

namespace leitong {
namespace {

static_assert(std::popcount(kSimhashTieMask) == kSimhashBits / 2);

/// The sums of the hashes' bits from `first` on.
std::array<double, kSumsAtOnce> sums_from(std::span<const Feature> features, unsigned first) {
  std::array<double, kSumsAtOnce> sums{};
  for (const Feature& feature : features) {
    const auto weight = std::bit_cast<std::uint64_t>(double{feature.weight});
    for (unsigned i = 0; i < kSumsAtOnce; i += kNibble) {
      const auto& signs = kSigns[feature.hash >> (first + i) & 15];
      for (unsigned bit = 0; bit < kNibble; ++bit)
        sums[i + bit] += std::bit_cast<double>(weight ^ signs[bit]);
    }
  }
  return sums;
}

}  // namespace

void simhash_sums(std::span<const Feature> features, std::span<double> sums) noexcept {
  assert(sums.size() <= kSimhashBits);
  for (double& sum : sums) sum = 0;
  for (const Feature& feature : features)
    for (std::size_t bit = 0; bit < sums.size(); ++bit)
      sums[bit] += (feature.hash >> bit & 1) != 0 ? double{feature.weight} : -double{feature.weight};
}

std::uint64_t simhash_signs(std::span<const double> sums, Ties ties) noexcept {
  assert(sums.size() <= kSimhashBits);
  std::uint64_t ones = 0, zeros = 0;
  for (std::size_t bit = 0; bit < sums.size(); ++bit) {
    ones |= std::uint64_t{sums[bit] > 0} << bit;
    zeros |= std::uint64_t{sums[bit] == 0} << bit;
  }
  return break_ties(ones, zeros, ties);
}

std::optional<std::uint64_t> simhash(std::span<const Feature> features, Ties ties) noexcept {
  return simhash(features, simd_level(), ties);
}

std::optional<std::uint64_t> simhash(std::span<const Feature> features, [[maybe_unused]] Simd level,
                                     Ties ties) noexcept {
  const bool any =
      std::any_of(features.begin(), features.end(), [](const Feature& f) { return f.weight > 0; });
  if (!any) return std::nullopt;
#if defined(__x86_64__)
  if (level == Simd::avx512) {
    const SumSigns signs = sum_signs_avx512(features.data(), features.size());
    return break_ties(signs.positive, signs.zero, ties);
  }
#endif
  return signs_in_parts([&](unsigned first) { return sums_from(features, first); }, ties);
}

std::optional<Simhash128> simhash128(std::span<const Feature> features, Ties ties) {
  constexpr std::uint64_t kUpperHalf = 0x9e3779b97f4a7c15ULL;
  const auto lower = simhash(features, ties);
  if (!lower) return std::nullopt;
  std::vector<Feature> mixed(features.begin(), features.end());
  for (Feature& feature : mixed) feature.hash = mix64(feature.hash ^ kUpperHalf);
  return Simhash128{*lower, *simhash(mixed, ties)};
}

}  // namespace leitong
