// The fields of one JSON object.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/padded_bytes.hpp"
#include "corpus/record_fields.hpp"
#include "corpus/text_cut.hpp"

namespace leitong {

/// The deepest nesting of objects and arrays; deeper records are refused. Reading takes some 350 bytes of
/// stack a level, and threads of other programs may have small stacks.
inline constexpr int kDeepestJson = 100;

/// Reads records one by one; keeps its buffers. Checks the whole record, not only the wanted fields: RFC
/// 8259, valid UTF-8, no lone surrogates. Refuses a record if a key occurs twice in the object itself, or in
/// one that leads to a field. Numbers are kept as written. At least 1 GB/s if texts have a few kilobytes. One
/// reader for each thread.
class JsonRecordReader {
 public:
  explicit JsonRecordReader(const FieldNames& names);
  ~JsonRecordReader();
  JsonRecordReader(const JsonRecordReader&) = delete;
  JsonRecordReader& operator=(const JsonRecordReader&) = delete;

  /// Names are paths by dots ("meta.id"). Existing texts are joined by line feeds; null counts as missing.
  /// REQUIRES kRecordPadding readable bytes after `record`, which is less than 4 GiB.
  void read(std::string_view record, RecordFields& fields);
  /// Appends the texts that make RecordFields::text, in their order, of the record that was read last and had
  /// no problem.
  void append_texts(std::vector<TextToken>& tokens) const;
  /// The names of the record's fields, and within the objects that lead to `path`, for messages. REQUIRES as
  /// read().
  [[nodiscard]] std::vector<std::string> field_names(std::string_view record, std::string_view path);

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace leitong
