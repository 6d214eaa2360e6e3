// What a document is summed up from: hashed features that carry weights.
#pragma once

#include <cstdint>

namespace leitong {

/// One feature of a document (a word, a shingle): its hash and how much it counts. Weights are at least 0 and
/// finite.
struct Feature {
  std::uint64_t hash = 0;
  float weight = 0;

  friend bool operator==(const Feature&, const Feature&) = default;
};

}  // namespace leitong
