// Writes the kept records of byte formats, byte for byte.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "corpus/record_format.hpp"

namespace leitong {

/// Passes on runs of kept neighbours in pieces of some mebibytes, after the first source's preamble. Records
/// of scattered sources (SourceHead::is_scattered) are written one on each line: white space between the
/// tokens of an object that spans lines is left out, everything else is unchanged. `one_by_one`: calls
/// `write` for each record.
[[nodiscard]] std::unique_ptr<KeptWriter> make_byte_writer(const InputAccess& access, const WriteBytes& write,
                                                           bool one_by_one = false);

}  // namespace leitong
