// The weights of the features of a document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/pod_vector.hpp"
#include "feature/bag.hpp"

namespace leitong {

/// The weight of a feature, and its index in Bag::terms.
struct Weighted {
  std::uint32_t term = 0;
  float weight = 0;

  friend bool operator==(const Weighted&, const Weighted&) = default;
};

/// `count` is the number of occurrences of the term, idf its inverse document frequency, and n the number of
/// occurrences of all terms.
enum class WeightScheme {
  tf_idf,     ///< count * idf. (TF is count / n; the factor 1 / n changes no signature)
  tf_idf_up,  ///< count / n * idf, rounded up: the weights of keyword extractors as integers
  tfc,        ///< count / n * idf, divided by the Euclidean norm of all of them (Salton and Buckley 1988)
  levels,     ///< 1..5: the fifth of the document's terms, by TF-IDF, to which the term belongs
  log_tf,     ///< 1 + ln count
  constant,   ///< 1
};

struct WeightSchemeName {
  WeightScheme scheme;
  std::string_view name;
};
[[nodiscard]] std::span<const WeightSchemeName> weight_scheme_names() noexcept;

/// Weighs all terms of a bag, in their order. `idf` has one value for each term; a term with idf 0 is left
/// out. Replaces `weights`.
void weigh(const Bag& bag, std::span<const float> idf, WeightScheme scheme, PodVector<Weighted>& weights);

/// Keeps the `count` heaviest (0: all), heaviest first; of equal ones the one of smaller id comes first.
void keep_heaviest(const Bag& bag, std::size_t count, PodVector<Weighted>& weights);

/// Limits each weight to `times` the median weight (the upper one of an even number), since otherwise one
/// heavy term could decide every bit of a signature. 0 limits nothing.
void cap_weights(double times, PodVector<Weighted>& weights);

}  // namespace leitong
