// Composing text by ICU, and cutting it where composition can't reach across. Internal to src/text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/units.hpp"

namespace leitong {

/// End of the piece that begins at `begin`: about a kilobyte on, before a character that never composes with
/// its predecessor and that ends a word. (A word of more than 256 bytes is cut all the same, and so is a run
/// of so many combining marks: normalizing takes quadratic time there.)
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
