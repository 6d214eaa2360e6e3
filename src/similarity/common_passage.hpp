// The longest passage that two texts share, as their shingles tell it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/pod_vector.hpp"

namespace leitong {

/// Where a text is looked up by passages of so many units: of every stretch of shingles that such a passage
/// covers, the place of the one with the smallest hash (winnowing: Schleimer, Wilkerson, Aiken 2003). Two
/// texts that share the passage have such a place of it in common. 8 bytes for some 28 shingles.
class PassageAnchors {
 public:
  PassageAnchors() = default;
  /// `ordered`: the shingle hashes of a text in its order, which must stay where they are. `templates`: those
  /// of them that don't count, ascending; looked at here only. REQUIRES at_least >= kShingleUnits. O(n).
  PassageAnchors(std::span<const std::uint32_t> ordered, std::size_t at_least,
                 std::span<const std::uint32_t> templates = {});

  /// Of the runs that both texts hold the one with most shingles that are template for neither. A run of u
  /// units has u - 4 shingles, so s of them count as s + 4 units: so many at least are not within a template.
  /// Returns these; 0 if they are less than `at_least`, which has to be the same for both. A stock phrase
  /// within a copied passage doesn't end the run. Symmetric. O(anchors + places that are compared); texts
  /// that repeat themselves again and again have very many of these, and are compared in up to 64 places a
  /// shingle: then it is the best of those.
  [[nodiscard]] static std::size_t longest_common(const PassageAnchors& a, const PassageAnchors& b);

 private:
  std::span<const std::uint32_t> ordered_;
  PodVector<std::uint64_t> anchors_;  // (hash, place), ascending
  std::vector<bool> is_anchor_;       // by place
  std::vector<bool> is_template_;     // by place; empty where all shingles count
  std::size_t positions_ = 0;         // of a passage that is long enough
};

}  // namespace leitong
