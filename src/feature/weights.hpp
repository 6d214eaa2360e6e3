// How much each feature of a document counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/pod_vector.hpp"
#include "feature/bag.hpp"

namespace leitong {

/// A feature's weight, and which of Bag::terms it is.
struct Weighted {
  std::uint32_t term = 0;
  float weight = 0;

  friend bool operator==(const Weighted&, const Weighted&) = default;
};

/// `count`: occurrences of the term; idf: its inverse document frequency; n: occurrences of all terms.
enum class WeightScheme {
  tf_idf,     ///< count * idf. (TF is count / n: a factor of the whole document, which changes no signature)
  tf_idf_up,  ///< count / n * idf, rounded up to a whole number: keyword extractors' weights made integers
  tfc,        ///< count / n * idf over the Euclidean norm of all of them (Salton and Buckley 1988)
  levels,     ///< 1..5: the fifth of the document's terms, by TF-IDF, that the term is in
  log_tf,     ///< 1 + ln count
  constant,   ///< 1
};

struct WeightSchemeName {
  WeightScheme scheme;
  std::string_view name;
};
[[nodiscard]] std::span<const WeightSchemeName> weight_scheme_names() noexcept;

/// Weighs all terms of a bag, in their order. `idf` has one value a term; where it is 0 the term is left out.
/// `weights` is replaced.
void weigh(const Bag& bag, std::span<const float> idf, WeightScheme scheme, PodVector<Weighted>& weights);

/// Keeps the `count` heaviest (0: all), heaviest first, of equals the one of smaller id.
void keep_heaviest(const Bag& bag, std::size_t count, PodVector<Weighted>& weights);

/// No weight stays above `times` the median weight (the upper one of an even number): one heavy term would
/// decide every bit of a signature. 0 caps nothing.
void cap_weights(double times, PodVector<Weighted>& weights);

}  // namespace leitong
