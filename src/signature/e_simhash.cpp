#include "signature/e_simhash.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/hash.hpp"

namespace leitong {
namespace {

constexpr std::array kNames = {EntropyBlendName{EntropyBlend::product, "product"},
                               EntropyBlendName{EntropyBlend::mean, "mean"},
                               EntropyBlendName{EntropyBlend::root_square, "root-square"}};
constexpr std::uint64_t kBuckets = 8;

template <class Bind>
std::optional<std::uint64_t> sum_occurrences(std::span<const PlacedFeature> features, Ties ties,
                                             const Bind& bind) {
  std::vector<Feature> occurrences;
  for (const PlacedFeature& feature : features)
    for (const std::uint32_t place : feature.places)
      occurrences.push_back({feature.hash ^ bind(place), feature.weight});
  return simhash(occurrences, ties);
}

}  // namespace

std::span<const EntropyBlendName> entropy_blend_names() noexcept { return kNames; }

float entropy_weight(double tf_idf, double left_entropy, double right_entropy, EntropyBlend blend,
                     double cap) noexcept {
  const double entropy = (left_entropy + right_entropy) / 2;
  double weight = tf_idf * entropy;
  if (blend == EntropyBlend::mean) weight = (tf_idf + entropy) / 2;
  if (blend == EntropyBlend::root_square) weight = std::sqrt((tf_idf * tf_idf + entropy * entropy) / 2);
  if (cap > 0) weight = std::min(weight, cap);
  return static_cast<float>(weight);
}

std::optional<std::uint64_t> e_simhash_literal(std::span<const PlacedFeature> features, Ties ties) {
  return sum_occurrences(features, ties, [](std::uint32_t place) { return std::uint64_t{place}; });
}

std::optional<std::uint64_t> e_simhash(std::span<const PlacedFeature> features, std::uint32_t length,
                                       Ties ties) {
  return sum_occurrences(features, ties,
                         [length](std::uint32_t place) { return mix64(place * kBuckets / length + 1); });
}

}  // namespace leitong
