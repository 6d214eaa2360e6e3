#include "signature/p_simhash.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/hash.hpp"
#include "signature/simhash.hpp"

namespace leitong {
namespace {

constexpr std::uint32_t kStretches = 8;
constexpr std::uint64_t kPlaceMap = 0x5bd1e9955bd1e995ULL;

template <class PlaceSignature>
std::optional<std::uint64_t> blend(std::span<const PlacedFeature> features, double mu,
                                   const PlaceSignature& place_signature_of) noexcept {
  std::array<double, kSimhashBits> sums{};
  bool any = false;
  for (const PlacedFeature& feature : features) {
    any = any || feature.weight > 0;
    const std::uint64_t of_places = place_signature_of(feature);
    // mu * s + (1 - mu) * s' is 1 or 2 mu - 1, with the sign of s.
    const double agreed = feature.weight, opposed = (2 * mu - 1) * feature.weight;
    for (unsigned bit = 0; bit < kSimhashBits; ++bit) {
      const double part = ((feature.hash ^ of_places) >> bit & 1) != 0 ? opposed : agreed;
      sums[bit] += (feature.hash >> bit & 1) != 0 ? part : -part;
    }
  }
  if (!any) return std::nullopt;
  return simhash_signs(sums);
}

}  // namespace

std::uint64_t place_signature_literal(std::span<const std::uint32_t> places) noexcept {
  std::array<std::uint32_t, kSimhashBits> bins{};
  for (const std::uint32_t place : places) ++bins[mix64(place ^ kPlaceMap) % kSimhashBits];
  std::uint64_t signature = 0;
  for (unsigned bit = 0; bit < kSimhashBits; ++bit)
    if (std::uint64_t{bins[bit]} * kSimhashBits > places.size()) signature |= std::uint64_t{1} << bit;
  return signature;
}

std::uint64_t place_signature(std::uint64_t hash, std::span<const std::uint32_t> places,
                              std::uint32_t length) noexcept {
  // What each stretch receives, first; then one sum over the stretches.
  std::array<double, kStretches> share{};
  for (const std::uint32_t place : places) {
    const double at = (place + 0.5) * kStretches / length - 0.5;
    const double left = std::floor(at);
    const auto stretch = static_cast<int>(left);
    const auto inside = [](int i) {
      return static_cast<std::size_t>(std::clamp(i, 0, static_cast<int>(kStretches) - 1));
    };
    share[inside(stretch)] += 1 - (at - left);
    share[inside(stretch + 1)] += at - left;
  }
  std::array<Feature, kStretches> parts;
  for (std::uint32_t i = 0; i < kStretches; ++i)
    parts[i] = {mix64(hash ^ mix64(i + 1)), static_cast<float>(share[i])};
  return simhash(parts).value_or(0);
}

std::optional<std::uint64_t> p_simhash(std::span<const PlacedFeature> features, std::uint32_t length,
                                       double mu) noexcept {
  return blend(features, mu, [length](const PlacedFeature& feature) {
    return place_signature(feature.hash, feature.places, length);
  });
}

std::optional<std::uint64_t> p_simhash_literal(std::span<const PlacedFeature> features, double mu) noexcept {
  return blend(features, mu,
               [](const PlacedFeature& feature) { return place_signature_literal(feature.places); });
}

}  // namespace leitong
