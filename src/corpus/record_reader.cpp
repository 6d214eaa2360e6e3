#include "corpus/record_reader.hpp"

#include <fmt/core.h>

#include "corpus/charset.hpp"
#include "corpus/html_text.hpp"

namespace leitong {
namespace {

/// What one document leaves allocated for the next.
constexpr std::size_t kKeptBytes = std::size_t{16} << 20;

/// Empty, or why the bytes aren't a text in any encoding. UTF-16 and UTF-32 hold zero bytes and begin with a
/// mark.
std::string binary_problem(std::string_view bytes) {
  const bool is_wide = bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff") ||
                       bytes.starts_with(std::string_view("\0\0\xfe\xff", 4));
  const std::size_t nul = bytes.find('\0');
  if (is_wide || nul == std::string_view::npos) return {};
  return fmt::format("a NUL byte at byte {}: not a text file", nul + 1);
}

}  // namespace

void RecordReader::read(const Source& source, std::string_view record, RecordFields& fields) {
  switch (source.kind) {
    case InputKind::automatic:
    case InputKind::jsonl:
      json_.read(record, fields);
      return;
    case InputKind::csv:
    case InputKind::tsv:
      csv_.read(source.head->csv, names_, record, fields);
      return;
    case InputKind::lines:
      fields.clear();
      fields.text = record;
      check_text(record, false, fields);
      return;
    case InputKind::text:
      read_text(record, fields);
      return;
    case InputKind::html:
      read_html(record, fields);
      return;
  }
}

void RecordReader::read_text(std::string_view bytes, RecordFields& fields) {
  fields.clear();
  if (decoded_.capacity() > kKeptBytes) decoded_ = {};
  if (fields.problem = binary_problem(bytes); !fields.problem.empty()) return;
  DecodedText decoded = decode_text(bytes, {}, decoded_);
  fields.text = decoded.text;
  fields.problem = std::move(decoded.problem);
  if (fields.problem.empty()) check_text(fields.text, true, fields);
}

void RecordReader::read_html(std::string_view bytes, RecordFields& fields) {
  fields.clear();
  if (decoded_.capacity() > kKeptBytes) decoded_ = {};
  if (text_.capacity() > kKeptBytes) text_ = {};
  if (fields.problem = binary_problem(bytes); !fields.problem.empty()) return;
  DecodedText decoded = decode_text(bytes, declared_charset(bytes), decoded_);
  fields.problem = std::move(decoded.problem);
  if (fields.problem.empty()) fields.problem = html_to_text(decoded.text, text_, names_.html);
  if (!fields.problem.empty()) return;
  fields.text = text_;
  check_text(text_, false, fields);
}

}  // namespace leitong
