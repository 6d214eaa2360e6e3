// Finds the longest passage that two texts share, by their shingles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/pod_vector.hpp"

namespace leitong {

/// The places by which passages of a text are found: the place with the smallest hash in every stretch of
/// shingles that a passage of the least length covers (winnowing: Schleimer, Wilkerson, Aiken 2003). Two
/// texts that share such a passage have at least one of its anchors in common. 8 bytes for about 28 shingles.
class PassageAnchors {
 public:
  PassageAnchors() = default;
  /// `ordered` are the shingle hashes of a text in the order of the text, which must not move. `templates`
  /// are the hashes that do not count, ascending; they are read only here. REQUIRES at_least >=
  /// kShingleUnits. O(n).
  PassageAnchors(std::span<const std::uint32_t> ordered, std::size_t at_least,
                 std::span<const std::uint32_t> templates = {});

  /// Finds, among the runs that both texts hold, the one with most shingles that are template for neither. A
  /// run of u units has u - 4 shingles, so s such shingles count as s + 4 units, of which at least so many
  /// are outside templates. Returns this number, or 0 if it is less than `at_least`, which must be the same
  /// for both. A common phrase inside a copied passage does not end the run. Symmetric. O(anchors + compared
  /// places). Texts that repeat themselves very often have too many places to compare, so at most 64 places a
  /// shingle are compared; then the result is the best of the compared ones.
  [[nodiscard]] static std::size_t longest_common(const PassageAnchors& a, const PassageAnchors& b);

 private:
  std::span<const std::uint32_t> ordered_;
  PodVector<std::uint64_t> anchors_;  // (hash, place), ascending
  std::vector<bool> is_anchor_;       // for each place
  std::vector<bool> is_template_;     // for each place; empty where all shingles count
  std::size_t positions_ = 0;         // shingles of a passage that is long enough
};

}  // namespace leitong
