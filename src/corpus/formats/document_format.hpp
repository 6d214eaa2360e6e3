// Files that are one document each, in any encoding: shared by text and HTML.
#pragma once

#include <string>
#include <string_view>

#include "corpus/byte_format.hpp"
#include "corpus/charset.hpp"

namespace leitong {

/// The size of the buffers that are kept for the next document.
inline constexpr std::size_t kKeptDocument = std::size_t{16} << 20;

/// Decodes documents; `Text` makes the text of one:
///   static std::string_view declared(std::string_view bytes);     the encoding that the document declares
///   std::string read(std::string_view utf8, const FieldNames&, std::string_view& text);  what is wrong
template <class Text>
class DocumentFields {
 public:
  explicit DocumentFields(const FieldNames& names) : names_(names) {}

  void read(const Source& source, std::string_view bytes, RecordFields& fields) {
    fields.clear();
    if (decoded_.capacity() > kKeptDocument) decoded_ = {};
    // If the encoding was named, a stream is already UTF-8.
    const std::string_view named = source.regular ? std::string_view(names_.encoding) : std::string_view();
    if (named.empty()) fields.problem = binary_problem(bytes);
    if (!fields.problem.empty()) {
      fields.fault = bytes.find('\0');
      return;
    }
    DecodedText decoded = decode_text(bytes, Text::declared(bytes), decoded_, named);
    fields.problem = std::move(decoded.problem);
    if (fields.problem.starts_with("invalid UTF-8")) fields.fault = find_invalid_utf8(bytes);
    if (fields.problem.empty()) fields.problem = text_.read(decoded.text, names_, fields.text);
    if (fields.problem.empty()) fields.problem = damaged_text(fields.text);
    if (fields.problem.empty()) check_text(fields.text, false, names_, fields);
  }
  static std::string_view trim(const Source& /*source*/, std::string_view piece) { return piece; }

 private:
  const FieldNames& names_;
  std::string decoded_;
  Text text_;
};

template <class Text>
class DocumentFormat : public ByteFormat {
 public:
  DocumentFormat(std::string_view name, std::vector<std::string_view> endings)
      : ByteFormat({name, std::move(endings), true}) {}
  [[nodiscard]] std::unique_ptr<RecordParser> new_parser(const InputAccess& access) const final {
    return std::make_unique<ByteParser<DocumentFields<Text>>>(access);
  }

 private:
  [[nodiscard]] std::unique_ptr<RecordScanner> new_scanner(const SourceHead* /*head*/) const final {
    return make_whole_scanner();
  }
};

}  // namespace leitong
