// Composes text with ICU, and cuts it where composition has no effect across the cut. Internal to src/text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/units.hpp"

namespace leitong {

/// The end of the piece that begins at `begin`: about a kilobyte later, before a character that never
/// composes with its predecessor and that ends a word. (A word of more than 256 bytes is cut nevertheless,
/// and so is a run of combining marks of that length, since normalizing it takes quadratic time.)
[[nodiscard]] std::size_t piece_end(std::string_view utf8, std::size_t begin);

/// Replaces `nfc` by the text in NFC. Quadratic in runs of marks.
void to_nfc(std::string_view utf8, std::string& nfc);

/// Replaces `composed` by the piece in NFKC.
void compose(std::string_view piece, std::string& composed);

/// A stretch of a composed piece and the bytes of the piece from which it was made.
struct ComposedRun {
  ByteRange composed;
  ByteRange original;
  bool changed;  ///< if false, the bytes are the same, one by one
};

/// compose() that also tells from which bytes each stretch was made.
void compose(std::string_view piece, std::string& composed, std::vector<ComposedRun>& runs);

}  // namespace leitong
