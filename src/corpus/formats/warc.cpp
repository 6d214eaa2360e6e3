// Archives of web pages (ISO 28500): WARC with responses of HTTP, and WET with their texts.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "corpus/byte_format.hpp"
#include "corpus/charset.hpp"
#include "corpus/formats/formats.hpp"
#include "corpus/html_text.hpp"
#include "corpus/http_body.hpp"
#include "corpus/warc_record.hpp"

namespace leitong {
namespace {

/// The size of the buffer that is kept for the next record.
constexpr std::size_t kKeptBytes = std::size_t{16} << 20;

struct ShortName {
  std::string_view name, field;
};
/// The names that other formats use, so that the usual field names work.
constexpr std::array<ShortName, 3> kShortNames{
    {{"id", "WARC-Record-ID"}, {"url", "WARC-Target-URI"}, {"date", "WARC-Date"}}};

/// In lower case, without parameters.
std::string media_type(std::string_view content_type) {
  std::string type(content_type.substr(0, std::min(content_type.find_first_of("; \t"), content_type.size())));
  for (char& c : type) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return type;
}
bool is_page(std::string_view type) { return type == "text/html" || type == "application/xhtml+xml"; }

/// The value of `charset=..` in a content type, or nothing.
std::string_view charset_of(std::string_view content_type) {
  const std::size_t at = content_type.find("charset=");
  if (at == std::string_view::npos) return {};
  std::string_view name = content_type.substr(at + 8);
  if (name.starts_with('"')) name.remove_prefix(1);
  return name.substr(0, std::min(name.find_first_of("\"; \t"), name.size()));
}

class WarcFields {
 public:
  explicit WarcFields(const FieldNames& names) : names_(names) {}

  void read(const Source& /*source*/, std::string_view bytes, RecordFields& fields) {
    fields.clear();
    const std::optional<ParsedWarc> parsed = parse_warc(bytes);
    if (!parsed) {
      fields.problem = "is no WARC record: no version line, no Content-Length, or no end of the fields";
      return;
    }
    const NamedFields& header = parsed->record.fields;
    fields.id = value(header, names_.names[0]);
    if (parsed->cut) {
      fields.problem = "the record is cut off: its block is shorter than its Content-Length";
      return;
    }
    read_text(parsed->record, fields);
    if (!fields.problem.empty() || fields.is_other) return;
    join_texts(header, fields);
    if (!fields.problem.empty()) return;
    check_text(fields.text, false, names_, fields);
    for (std::size_t slot = names_.texts_end; slot < names_.names.size(); ++slot)
      fields.extra.push_back(value(header, names_.names[slot]));
  }
  /// Nothing is trimmed: a writer of records adds the line end that is here.
  static std::string_view trim(const Source& /*source*/, std::string_view piece) {
    return without_line_end(piece);
  }

 private:
  static std::string_view value(const NamedFields& header, std::string_view name) {
    const auto known = std::find_if(kShortNames.begin(), kShortNames.end(),
                                    [&](const ShortName& each) { return each.name == name; });
    std::string_view value = header.value(known == kShortNames.end() ? name : known->field);
    if (value.starts_with('<') && value.ends_with('>')) value = value.substr(1, value.size() - 2);
    return find_invalid_utf8(value) == std::string_view::npos ? value : std::string_view();
  }

  /// Puts the document's text into text_, unless the record is of a kind that holds none.
  void read_text(const WarcRecord& record, RecordFields& fields) {
    if (text_.capacity() + decoded_.capacity() + body_.capacity() > kKeptBytes) text_ = decoded_ = body_ = {};
    const std::string_view type = record.fields.value("WARC-Type");
    std::string_view bytes = record.block, content_type = record.fields.value("Content-Type");
    fields.is_other = type != "response" && type != "resource" && type != "conversion";
    if (fields.is_other) return;
    if (type == "response") {
      if (media_type(content_type) != "application/http") {
        fields.is_other = true;
        return;
      }
      HttpBody body = http_body(record.block, names_.max_body_bytes, body_);
      fields.problem = std::move(body.problem);
      bytes = body.bytes;
      content_type = body.content_type;
      fields.is_other = fields.problem.empty() && body.status / 100 != 2;
    }
    const std::string media = media_type(content_type);
    if (!is_page(media) && media != "text/plain") {
      fields.is_other = true;
      fields.problem.clear();
    }
    if (fields.is_other || !fields.problem.empty()) return;
    const bool page = is_page(media);
    std::string_view charset = charset_of(content_type);
    if (charset.empty() && page) charset = declared_charset(bytes);
    DecodedText decoded = decode_text(bytes, charset, decoded_, names_.encoding);
    fields.problem = std::move(decoded.problem);
    if (!fields.problem.empty()) return;
    if (page)
      fields.problem = html_to_text(decoded.text, text_, names_.html);
    else
      text_ = decoded.text;
  }

  /// Joins the wanted texts with line feeds: "text" is the document's, others are fields.
  void join_texts(const NamedFields& header, RecordFields& fields) {
    fields.text = text_;
    if (names_.texts_end == 2 && names_.names[1] == "text") return;
    joined_.clear();
    bool found = false;
    for (std::size_t slot = 1; slot < names_.texts_end; ++slot) {
      const std::string_view text =
          names_.names[slot] == "text" ? std::string_view(text_) : value(header, names_.names[slot]);
      found |= names_.names[slot] == "text" || !text.empty();
      if (text.empty()) continue;
      if (!joined_.empty()) joined_ += '\n';
      joined_ += text;
    }
    fields.text = joined_;
    if (!found)
      fields.problem = fmt::format(
          "field \"{}\" is missing; a WARC record has the field text, which is its page's, and those of its "
          "header",
          names_.names[1]);
  }

  const FieldNames& names_;
  std::string body_, decoded_, text_, joined_;
};

class WarcFormat final : public ByteFormat {
 public:
  WarcFormat()
      : ByteFormat({.name = "warc",
                    .endings = {".warc", ".wet"},
                    .is_archive = true,
                    .why_uncut = "a page's text stands between marks of HTML, and digests seal its record"}) {
  }

  [[nodiscard]] bool claims(const Beginning& beginning) const override { return is_warc(beginning.bytes); }
  [[nodiscard]] std::unique_ptr<RecordParser> new_parser(const InputAccess& access) const override {
    return std::make_unique<ByteParser<WarcFields>>(access);
  }

 private:
  [[nodiscard]] std::unique_ptr<RecordScanner> new_scanner(const SourceHead* /*head*/) const override {
    return make_warc_scanner();
  }
};

}  // namespace

const RecordFormat& warc_format() {
  static const WarcFormat format;
  return format;
}

}  // namespace leitong
