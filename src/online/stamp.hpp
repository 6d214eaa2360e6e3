// What an index of fingerprints goes by of a text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "leitong/fingerprint.hpp"
#include "text/units.hpp"

namespace leitong::online {

/// Half a SHA-256 of a text: texts with equal ones are the same text (text/signs.hpp), or the hash is broken.
using ContentDigest = std::array<std::uint64_t, 2>;

/// It is all that is compared, so that the text itself may be gone.
struct Stamp {
  /// The low bits of it, where the scheme has 64. None: the text lacks what the scheme looks at, and is like
  /// its copies alone.
  std::optional<hamming::Fingerprint128> fingerprint;
  std::optional<ContentDigest> digest;  ///< none where the fingerprint alone was given

  bool operator==(const Stamp&) const = default;
};

/// Of the characters that same_text() compares, or of the bytes where there is no unit.
[[nodiscard]] ContentDigest content_digest(std::string_view text, std::span<const Unit> units);

/// Are these the same content? Decided by the digests, or by fingerprints where one lacks the other.
[[nodiscard]] inline bool same_content(const Stamp& a, const Stamp& b) noexcept {
  return a.digest && b.digest ? a.digest == b.digest : a == b;
}

}  // namespace leitong::online
