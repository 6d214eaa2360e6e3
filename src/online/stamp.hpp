// The part of a text that an index of fingerprints uses.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "leitong/fingerprint.hpp"
#include "text/units.hpp"

namespace leitong::online {

/// Half of the SHA-256 of a text. Texts with equal digests are the same text (text/signs.hpp), unless the
/// hash is broken.
using ContentDigest = std::array<std::uint64_t, 2>;

/// The stamp of a text. Only stamps are compared, so the text itself need not be kept.
struct Stamp {
  /// A fingerprint of 64 bits is in the low bits. Nothing: the text lacks what the scheme uses, and only its
  /// copies are similar.
  std::optional<hamming::Fingerprint128> fingerprint;
  std::optional<ContentDigest> digest;  ///< nothing if only the fingerprint was given

  bool operator==(const Stamp&) const = default;
};

/// The digest of the characters that same_text() compares, or of the bytes if the text has no unit.
[[nodiscard]] ContentDigest content_digest(std::string_view text, std::span<const Unit> units);

/// A stamp as bytes, whose fingerprint has `width` bytes.
[[nodiscard]] std::string stamp_bytes(const Stamp& stamp, std::size_t width);
/// False for bytes that do not begin with a stamp.
[[nodiscard]] bool take_stamp(std::string_view& bytes, std::size_t width, Stamp& stamp);

/// Do the two texts have the same content? The digests decide, or the fingerprints if a digest is missing.
[[nodiscard]] inline bool same_content(const Stamp& a, const Stamp& b) noexcept {
  return a.digest && b.digest ? a.digest == b.digest : a == b;
}

}  // namespace leitong::online
