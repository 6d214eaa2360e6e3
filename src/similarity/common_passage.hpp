// The longest passage that two texts share, as their shingles tell it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"

namespace leitong {

/// Where a text is looked up by passages of so many units: of every stretch of shingles that such a passage
/// covers, the place of the one with the smallest hash (winnowing: Schleimer, Wilkerson, Aiken 2003). Two
/// texts that share the passage have such a place of it in common. 8 bytes for some 28 shingles.
class PassageAnchors {
 public:
  PassageAnchors() = default;
  /// `ordered`: the shingle hashes of a text in its order, which must stay where they are. No passage holds
  /// kNoShingle. REQUIRES at_least >= kShingleUnits. O(n).
  PassageAnchors(std::span<const std::uint32_t> ordered, std::size_t at_least);

  /// Stands where a shingle doesn't count.
  static constexpr std::uint32_t kNoShingle = UINT32_MAX;

  /// Units of the longest run that both texts hold; 0 if it has less than `at_least`, which has to be the
  /// same for both. Symmetric. O(anchors + places that are compared); texts that repeat themselves again and
  /// again have very many of these, and are compared in up to 64 places a shingle: then it is the longest of
  /// those.
  [[nodiscard]] static std::size_t longest_common(const PassageAnchors& a, const PassageAnchors& b);

 private:
  std::span<const std::uint32_t> ordered_;
  PodVector<std::uint64_t> anchors_;  // (hash, place), ascending
  std::size_t positions_ = 0;         // of a passage that is long enough
};

/// `ordered` with kNoShingle in place of the shingles in `templates`, which ascend.
[[nodiscard]] PodVector<std::uint32_t> without_templates(std::span<const std::uint32_t> ordered,
                                                         std::span<const std::uint32_t> templates);

}  // namespace leitong
