// Encodings with one byte for each character that ICU does not know.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "io/byte_stream.hpp"

namespace leitong {

/// The characters of all bytes, each as UTF-8 ended by a zero byte, except for the byte 0 itself.
using SingleByteTable = std::array<std::array<char, 4>, 256>;

/// The table of an encoding by its name in lower case, or null.
[[nodiscard]] const SingleByteTable* single_byte_table(std::string_view name);

/// Appends the bytes as UTF-8.
void append_as_utf8(const SingleByteTable& table, std::string_view bytes, std::string& out);

/// A stream as UTF-8. `table` outlives it.
[[nodiscard]] std::unique_ptr<ByteStream> make_single_byte_transcoder(const SingleByteTable& table,
                                                                      std::unique_ptr<ByteStream> bytes);

}  // namespace leitong
