// Text in any encoding, as UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// Bytes turned into UTF-8, or the reason why they can't be.
struct DecodedText {
  std::string_view
      text;  ///< the bytes themselves where they are UTF-8, else `buffer`; without a byte order mark
  std::string problem;
};

/// Takes the encoding that is `named`; where none is, decides by the byte order mark, then UTF-8 if the bytes
/// are valid, then `declared` (an HTML page's charset; may be empty), then by statistics (uchardet). Bytes
/// that are UTF-8 but for a few faults are refused rather than taken for something else, and so is a text
/// that doesn't fit the encoding decided for.
[[nodiscard]] DecodedText decode_text(std::string_view bytes, std::string_view declared, std::string& buffer,
                                      std::string_view named = {});

/// Empty, or why the bytes aren't a text in any encoding. UTF-16 and UTF-32 hold zero bytes and begin with a
/// mark.
[[nodiscard]] std::string binary_problem(std::string_view bytes);

}  // namespace leitong
