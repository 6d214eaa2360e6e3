#include "signature/p_simhash.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "base/hash.hpp"
#include "signature/nibble_masks.hpp"
#include "signature/simhash_kernel.hpp"

namespace leitong {
namespace {

constexpr std::uint32_t kStretches = 8;
constexpr std::uint64_t kPlaceMap = 0x5bd1e9955bd1e995ULL;

/// A place between the middles of two stretches: the number of the left one (-1 in the first half stretch),
/// and the position between the two, from 0 to 1.
struct Between {
  int left;
  double right;
};
Between between(std::uint32_t place, std::uint32_t length) {
  const double at = (place + 0.5) * kStretches / length - 0.5;
  const int left = at < 0 ? -1 : static_cast<int>(at);
  return {left, at - left};
}
std::uint32_t inside(int stretch) {
  return static_cast<std::uint32_t>(std::clamp(stretch, 0, static_cast<int>(kStretches) - 1));
}
std::uint64_t hash_in(std::uint64_t hash, std::uint32_t stretch) { return mix64(hash ^ mix64(stretch + 1)); }

/// The sums of the bits from `first` on.
std::array<double, kSumsAtOnce> sums_from(std::span<const BlendedFeature> features, unsigned first) {
  std::array<double, kSumsAtOnce> sums{};
  for (const BlendedFeature& feature : features) {
    const auto agreed = std::bit_cast<std::uint64_t>(feature.agreed);
    const std::uint64_t change = agreed ^ std::bit_cast<std::uint64_t>(feature.opposed);
    for (unsigned i = 0; i < kSumsAtOnce; i += kNibble) {
      const auto& signs = kSigns[feature.hash >> (first + i) & 15];
      const auto& differs = kAllBits[feature.differs >> (first + i) & 15];
      for (unsigned bit = 0; bit < kNibble; ++bit)
        sums[i + bit] += std::bit_cast<double>((agreed ^ (change & differs[bit])) ^ signs[bit]);
    }
  }
  return sums;
}

std::uint64_t signs_of(std::span<const BlendedFeature> features, [[maybe_unused]] Simd level, Ties ties) {
#if defined(__x86_64__)
  if (level == Simd::avx512) {
    const SumSigns signs = blend_signs_avx512(features.data(), features.size());
    return break_ties(signs.positive, signs.zero, ties);
  }
#endif
  return signs_in_parts([&](unsigned first) { return sums_from(features, first); }, ties);
}

template <class PlaceSignature>
std::optional<std::uint64_t> blend(std::span<const PlacedFeature> features, double mu, Simd level, Ties ties,
                                   const PlaceSignature& place_signature_of) {
  // So many that the usual m words need no heap memory.
  std::array<BlendedFeature, 32> few;
  std::vector<BlendedFeature> many(features.size() > few.size() ? features.size() : 0);
  const std::span blended = many.empty() ? std::span(few.data(), features.size()) : std::span(many);
  bool any = false;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const PlacedFeature& feature = features[i];
    any = any || feature.weight > 0;
    // mu * s + (1 - mu) * s' is 1 or 2 mu - 1, with the sign of s.
    blended[i] = {feature.hash, feature.hash ^ place_signature_of(feature), feature.weight,
                  (2 * mu - 1) * feature.weight};
  }
  return any ? std::optional(signs_of(blended, level, ties)) : std::nullopt;
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
  // Most words occur at one place, and where the signatures of its two stretches differ the nearer stretch
  // decides.
  if (places.size() == 1) {
    const Between at = between(places[0], length);
    const auto left = static_cast<float>(1 - at.right), right = static_cast<float>(at.right);
    if (left != right) return hash_in(hash, inside(at.left + (left < right ? 1 : 0)));
  }
  // Computes first what each stretch receives, then one sum over the stretches.
  std::array<double, kStretches> share{};
  for (const std::uint32_t place : places) {
    const Between at = between(place, length);
    share[inside(at.left)] += 1 - at.right;
    share[inside(at.left + 1)] += at.right;
  }
  std::array<Feature, kStretches> parts;
  for (std::uint32_t i = 0; i < kStretches; ++i) parts[i] = {hash_in(hash, i), static_cast<float>(share[i])};
  return simhash(parts).value_or(0);
}

std::optional<std::uint64_t> p_simhash(std::span<const PlacedFeature> features, std::uint32_t length,
                                       double mu, Simd level, Ties ties) {
  return blend(features, mu, level, ties, [length](const PlacedFeature& feature) {
    return place_signature(feature.hash, feature.places, length);
  });
}

std::optional<std::uint64_t> p_simhash_literal(std::span<const PlacedFeature> features, double mu,
                                               Ties ties) {
  return blend(features, mu, simd_level(), ties,
               [](const PlacedFeature& feature) { return place_signature_literal(feature.places); });
}

}  // namespace leitong
