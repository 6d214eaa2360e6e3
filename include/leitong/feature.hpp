// What a document is summed up from: hashed features that carry weights.
#pragma once

#include <cstdint>
#include <span>

namespace leitong {

/// One feature of a document (a word, a shingle): its hash and how much it counts. Weights are at least 0 and
/// finite.
struct Feature {
  std::uint64_t hash = 0;  ///< of the word or shingle
  float weight = 0;        ///< how much it counts

  /// Equal in both.
  friend bool operator==(const Feature&, const Feature&) = default;
};

/// A feature that knows where it stands: the places of its occurrences among those of all features of the
/// document, 0, 1, .. REQUIRES at least one place.
struct PlacedFeature {
  std::uint64_t hash = 0;                 ///< of the word or shingle
  float weight = 0;                       ///< how much it counts
  std::span<const std::uint32_t> places;  ///< rising
};

}  // namespace leitong
