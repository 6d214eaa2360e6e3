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

/// The encoding that a name means in practice, in lower case: GB18030 is often called by the name of a part
/// of it.
[[nodiscard]] std::string wider_encoding(std::string_view name);
/// ICU's converter, which stops at bytes that do not fit the encoding. Null if there is no such encoding.
[[nodiscard]] Converter open_converter(const std::string& name);

/// Can text in this encoding be decoded?
[[nodiscard]] bool is_known_encoding(std::string_view name);

/// Fails with invalid_argument if there is no such encoding; the message names some.
Result<void> check_encoding(std::string_view name);
/// Do the bytes need no decoding? True if the name means UTF-8 or is empty.
[[nodiscard]] bool is_utf8_encoding(std::string_view name);
/// The encoding of a byte order mark of UTF-16 or UTF-32; otherwise (for UTF-8, too) empty.
[[nodiscard]] std::string_view encoding_of_mark(std::string_view first_bytes);

/// A stream in `encoding` as UTF-8. Bytes that do not fit become the byte FF, which never occurs in UTF-8, so
/// that their record shows the fault. REQUIRES check_encoding() and non-null `bytes`.
[[nodiscard]] std::unique_ptr<ByteStream> make_transcoder(std::string_view encoding,
                                                          std::unique_ptr<ByteStream> bytes);

}  // namespace leitong
