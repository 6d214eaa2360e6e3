// Encodings of text by name, and streams in them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/byte_stream.hpp"
#include "leitong/result.hpp"

struct UConverter;

namespace leitong {

struct CloseConverter {
  void operator()(UConverter* converter) const noexcept;
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

/// What a name stands for in practice: many call GB18030 by the name of a part of it. In small letters.
[[nodiscard]] std::string wider_encoding(std::string_view name);
/// ICU's converter, which stops at what doesn't fit the encoding. Null if there is no such encoding.
[[nodiscard]] Converter open_converter(const std::string& name);

/// Fails with invalid_argument if there is no such encoding, with some that are.
Result<void> check_encoding(std::string_view name);
/// Whether the bytes need no decoding: the name means UTF-8, or is empty.
[[nodiscard]] bool is_utf8_encoding(std::string_view name);
/// The encoding that a byte order mark of UTF-16 or UTF-32 names; empty for all else, UTF-8's included.
[[nodiscard]] std::string_view encoding_of_mark(std::string_view first_bytes);

/// A stream in `encoding` as UTF-8. What doesn't fit comes out as the byte FF, which never stands in UTF-8,
/// so that the record that it is in shows its fault. REQUIRES check_encoding(). Null `bytes` are not allowed.
[[nodiscard]] std::unique_ptr<ByteStream> make_transcoder(std::string_view encoding,
                                                          std::unique_ptr<ByteStream> bytes);

}  // namespace leitong
