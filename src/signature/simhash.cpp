#include "signature/simhash.hpp"

#include <bit>
#include <cassert>
#include <vector>

#include "base/hash.hpp"

namespace leitong {
namespace {

/// As many ones as zeros, otherwise arbitrary; part of the definition of every stored fingerprint.
constexpr std::uint64_t kTieMask = 0x0b906d69d6ae19dcULL;
static_assert(std::popcount(kTieMask) == kSimhashBits / 2);

constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

/// For each value of a byte, what its bits do to a weight: nothing where the bit is 1, a change of sign where
/// it is 0.
using SignTable = std::array<std::array<std::uint64_t, 8>, 256>;
constexpr SignTable make_sign_table() {
  SignTable table{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned bit = 0; bit < 8; ++bit) table[byte][bit] = (byte >> bit & 1) != 0 ? 0 : kSignBit;
  return table;
}
constexpr SignTable kSigns = make_sign_table();

}  // namespace

void simhash_sums(std::span<const Feature> features, std::span<double> sums) noexcept {
  assert(sums.size() <= kSimhashBits);
  for (double& sum : sums) sum = 0;
  for (const Feature& feature : features)
    for (std::size_t bit = 0; bit < sums.size(); ++bit)
      sums[bit] += (feature.hash >> bit & 1) != 0 ? double{feature.weight} : -double{feature.weight};
}

std::uint64_t simhash_signs(std::span<const double> sums) noexcept {
  assert(sums.size() <= kSimhashBits);
  std::uint64_t fingerprint = 0;
  for (std::size_t bit = 0; bit < sums.size(); ++bit) {
    const std::uint64_t one = std::uint64_t{1} << bit;
    if (sums[bit] > 0) fingerprint |= one;
    if (sums[bit] == 0) fingerprint |= kTieMask & one;
  }
  return fingerprint;
}

std::optional<std::uint64_t> simhash(std::span<const Feature> features) noexcept {
  std::array<double, kSimhashBits> sums{};
  bool any = false;
  for (const Feature& feature : features) {
    any = any || feature.weight > 0;
    const auto weight = std::bit_cast<std::uint64_t>(double{feature.weight});
    // Branchless and eight sums at a time, so that the compiler makes vectors of it.
    for (unsigned byte = 0; byte < 8; ++byte) {
      const auto& signs = kSigns[feature.hash >> 8 * byte & 0xff];
      for (unsigned bit = 0; bit < 8; ++bit)
        sums[8 * byte + bit] += std::bit_cast<double>(weight ^ signs[bit]);
    }
  }
  if (!any) return std::nullopt;
  return simhash_signs(sums);
}

std::optional<Simhash128> simhash128(std::span<const Feature> features) {
  constexpr std::uint64_t kUpperHalf = 0x9e3779b97f4a7c15ULL;
  const auto lower = simhash(features);
  if (!lower) return std::nullopt;
  std::vector<Feature> mixed(features.begin(), features.end());
  for (Feature& feature : mixed) feature.hash = mix64(feature.hash ^ kUpperHalf);
  return Simhash128{*lower, *simhash(mixed)};
}

}  // namespace leitong
