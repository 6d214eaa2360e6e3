// Composing text by ICU, and cutting it where composition can't reach across. Internal to src/text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/units.hpp"

namespace leitong {

/// End of the piece that begins at `begin`: about a kilobyte on, before a character that never composes with
/// its predecessor. (In a run of more than 256 bytes of combining marks it is cut all the same: normalizing
/// takes quadratic time there.)
[[nodiscard]] std::size_t piece_end(std::string_view utf8, std::size_t begin);

/// A text in NFC. Replaces `nfc`. Quadratic in runs of marks.
void to_nfc(std::string_view utf8, std::string& nfc);

/// The piece in NFKC. Replaces `composed`.
void compose(std::string_view piece, std::string& composed);

/// A stretch of a composed piece and the bytes of the piece that it came from.
struct ComposedRun {
  ByteRange composed;
  ByteRange original;
  bool changed;  ///< if not, the bytes are the same, one by one
};

/// compose() with the way back.
void compose(std::string_view piece, std::string& composed, std::vector<ComposedRun>& runs);

}  // namespace leitong
