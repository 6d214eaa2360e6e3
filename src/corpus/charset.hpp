// Decodes text of any encoding to UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// The decoded text, or the reason why there is none.
struct DecodedText {
  std::string_view
      text;  ///< the bytes themselves if they are UTF-8, else `buffer`; without a byte order mark
  std::string problem;
  std::string encoding = "UTF-8";  ///< that it was decoded from
};

/// Uses the encoding that is `named`. Otherwise decides by the byte order mark, then takes UTF-8 if the bytes
/// are valid, then `declared` (an HTML page's charset; may be empty), then decides by statistics (uchardet).
/// Bytes that are UTF-8 except for a few faults are refused rather than decoded in another way, and so is a
/// text that does not fit its encoding.
[[nodiscard]] DecodedText decode_text(std::string_view bytes, std::string_view declared, std::string& buffer,
                                      std::string_view named = {});

/// The encoding of a file of records that begins with these bytes, as statistics tell (uchardet); empty if it
/// is UTF-8, or nearly, or if they tell nothing: too few bytes beyond ASCII, or lines that do not fit.
[[nodiscard]] std::string encoding_of_records(std::string_view first_bytes);

/// For the message about a record with invalid UTF-8: the encoding that it fits, and what to do; empty if
/// none is recognised.
[[nodiscard]] std::string encoding_hint(std::string_view record);

/// Why the bytes are not a text in any encoding; empty if they may be. UTF-16 and UTF-32 hold zero bytes and
/// begin with a mark.
[[nodiscard]] std::string binary_problem(std::string_view bytes);

/// Why a decoded text is none, or empty: a tenth and more of its characters are control characters or U+FFFD,
/// which stands for what a wrong decoding lost. O(n).
[[nodiscard]] std::string damaged_text(std::string_view utf8);

}  // namespace leitong
