// What two texts have in common, by their shingles.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/pod_vector.hpp"
#include "leitong/compare.hpp"
#include "leitong/folding.hpp"
#include "leitong/result.hpp"
#include "text/units.hpp"

namespace leitong {

/// Fails with corrupt, naming the byte, or with limit above kMaxComparedBytes. `name` is the name of the text
/// in messages.
Result<void> check_compared(std::string_view name, std::string_view text);

/// The features of a text that are compared.
struct ComparedFeatures {
  PodVector<Unit> units;
  PodVector<std::uint32_t> shingles;  ///< a sorted set
  std::string_view text;
  Folding folding;

  /// Replaces the features by those of `text`, which must not move.
  void take(std::string_view text, const Folding& folding, PodVector<std::uint32_t>& scratch);
};

/// Compares by the default rule. REQUIRES that both are folded in the same way.
[[nodiscard]] Overlap overlap_of(const ComparedFeatures& text, const ComparedFeatures& other);

}  // namespace leitong
