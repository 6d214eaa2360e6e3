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

/// Fails with corrupt, naming the byte, or with limit above kMaxComparedBytes. `name` is what messages call
/// it.
Result<void> check_compared(std::string_view name, std::string_view text);

/// What is compared of a text.
struct ComparedFeatures {
  PodVector<Unit> units;
  PodVector<std::uint32_t> shingles;  ///< a set
  std::string_view text;
  Folding folding;

  /// In place of what was there. The text must stay where it is.
  void take(std::string_view text, const Folding& folding, PodVector<std::uint32_t>& scratch);
};

/// By the default rule. REQUIRES that both are folded in one way.
[[nodiscard]] Overlap overlap_of(const ComparedFeatures& text, const ComparedFeatures& other);

}  // namespace leitong
