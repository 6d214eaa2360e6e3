#include "feature/weights.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <vector>

namespace leitong {
namespace {

constexpr std::array kNames = {
    WeightSchemeName{WeightScheme::tf_idf, "tf-idf"}, WeightSchemeName{WeightScheme::tf_idf_up, "tf-idf-up"},
    WeightSchemeName{WeightScheme::tfc, "tfc"},       WeightSchemeName{WeightScheme::levels, "levels"},
    WeightSchemeName{WeightScheme::log_tf, "log-tf"}, WeightSchemeName{WeightScheme::constant, "constant"}};
constexpr std::size_t kLevels = 5;

void normalise(const Bag& bag, PodVector<Weighted>& weights) {
  double square = 0;
  for (const Weighted& each : weights) {
    const double tf_idf = double{each.weight} / bag.occurrences;
    square += tf_idf * tf_idf;
  }
  const double norm = std::sqrt(square);
  if (norm > 0)
    for (Weighted& each : weights)
      each.weight = static_cast<float>(double{each.weight} / bag.occurrences / norm);
}

void level(PodVector<Weighted>& weights) {
  std::vector<float> rising;
  for (const Weighted& each : weights) rising.push_back(each.weight);
  std::sort(rising.begin(), rising.end());
  for (Weighted& each : weights) {
    // Equal weights have the level of the first of them.
    const auto below = static_cast<std::size_t>(std::lower_bound(rising.begin(), rising.end(), each.weight) -
                                                rising.begin());
    const std::size_t level = 1 + below * kLevels / rising.size();
    each.weight = static_cast<float>(level);
  }
}

}  // namespace

std::span<const WeightSchemeName> weight_scheme_names() noexcept { return kNames; }

void weigh(const Bag& bag, std::span<const float> idf, WeightScheme scheme, PodVector<Weighted>& weights) {
  assert(idf.size() == bag.terms.size());
  weights.clear();
  for (std::uint32_t term = 0; term < bag.terms.size(); ++term) {
    if (!(idf[term] > 0)) continue;
    const auto count = static_cast<float>(bag.terms[term].count);
    float weight = count * idf[term];
    if (scheme == WeightScheme::tf_idf_up)
      weight = static_cast<float>(std::ceil(double{weight} / bag.occurrences));
    if (scheme == WeightScheme::log_tf) weight = 1 + std::log(count);
    if (scheme == WeightScheme::constant) weight = 1;
    weights.push_back({term, weight});
  }
  if (scheme == WeightScheme::tfc) normalise(bag, weights);
  if (scheme == WeightScheme::levels) level(weights);
}

void keep_heaviest(const Bag& bag, std::size_t count, PodVector<Weighted>& weights) {
  const std::size_t kept = count == 0 ? weights.size() : std::min(count, weights.size());
  std::partial_sort(
      weights.begin(), weights.begin() + kept, weights.end(), [&](const Weighted& a, const Weighted& b) {
        return a.weight != b.weight ? a.weight > b.weight : bag.terms[a.term].id < bag.terms[b.term].id;
      });
  weights.resize_for_overwrite(kept);
}

void cap_weights(double times, PodVector<Weighted>& weights) {
  if (times <= 0 || weights.empty()) return;
  std::vector<float> values;
  for (const Weighted& each : weights) values.push_back(each.weight);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const auto cap = static_cast<float>(times * double{*middle});
  for (Weighted& each : weights) each.weight = std::min(each.weight, cap);
}

}  // namespace leitong
