// The input of a sketch: hashed features with weights.
#pragma once

#include <cstdint>
#include <span>

namespace leitong {

/// One feature of a document (a word, a shingle): its hash and its weight, which is finite and at least 0.
struct Feature {
  std::uint64_t hash = 0;  ///< hash of the word or shingle
  float weight = 0;        ///< how much it counts

  /// Equal in hash and weight.
  friend bool operator==(const Feature&, const Feature&) = default;
};

/// A feature with the positions of its occurrences among all features of the document, which are counted from
/// 0. REQUIRES at least one position.
struct PlacedFeature {
  std::uint64_t hash = 0;                 ///< hash of the word or shingle
  float weight = 0;                       ///< how much it counts
  std::span<const std::uint32_t> places;  ///< ascending
};

}  // namespace leitong
