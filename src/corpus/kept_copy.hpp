// The kept records of byte formats, byte for byte.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "corpus/record_format.hpp"

namespace leitong {

/// Hands on runs of kept neighbours in pieces of some mebibytes, and the first source's preamble before them.
/// Records of scattered sources (SourceHead::is_scattered) come one a line: white space between the tokens of
/// an object that spans lines is left out, all else stays byte for byte. `one_by_one`: each record is a call
/// of `write`.
[[nodiscard]] std::unique_ptr<KeptWriter> make_byte_writer(const InputAccess& access, const WriteBytes& write,
                                                           bool one_by_one = false);

}  // namespace leitong
