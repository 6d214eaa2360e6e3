// Is what two texts share spread over the whole of them, or does it stand in one place?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace leitong {

/// A text is taken in stretches of this many shingles.
inline constexpr std::size_t kStretch = 16;

/// True if at least 9 of 10 stretches of a text hold shingles of the other one, each at least one in eight.
/// An edited copy does, whatever the rate of edits at which it is similar at all; two pages that share a
/// site's header and footer don't, since what stands between belongs to one of them. `ordered`: the shingle
/// hashes of the text in its order; `other`: the shingle set of the other one, ascending. O(n log m), less
/// where the answer is no.
[[nodiscard]] bool shared_throughout(std::span<const std::uint32_t> ordered,
                                     std::span<const std::uint32_t> other) noexcept;

}  // namespace leitong
