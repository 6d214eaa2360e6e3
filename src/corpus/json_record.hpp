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

/// Reads records one by one; keeps its buffers. A record is read if its quotes and brackets show where the
/// wanted fields begin and end, and if these are right: RFC 8259, valid UTF-8, no lone surrogates, each once
/// in its object. Defects of other fields do not matter. NaN, Infinity and -Infinity are values; NaN counts
/// as missing. Numbers are kept as written. At least 1 GB/s if texts have a few kilobytes. One reader for
/// each thread.
class JsonRecordReader {
 public:
  explicit JsonRecordReader(const FieldNames& names);
  ~JsonRecordReader();
  JsonRecordReader(const JsonRecordReader&) = delete;
  JsonRecordReader& operator=(const JsonRecordReader&) = delete;

  /// Names are paths by dots ("meta.id"); in those of texts "[]" stands for each element of a list
  /// ("messages[].content"). Existing texts are joined by line feeds; null counts as missing.
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
