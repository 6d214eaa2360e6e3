// A record of any kind, read by one thread.
#pragma once

#include <string>
#include <string_view>

#include "corpus/csv_record.hpp"
#include "corpus/json_record.hpp"
#include "corpus/record_fields.hpp"
#include "corpus/source_list.hpp"

namespace leitong {

/// The readers of all kinds, with their buffers.
class RecordReader {
 public:
  explicit RecordReader(const FieldNames& names) : names_(names), json_(names) {}

  /// Fills `fields` from a record of `source`, or says in fields.problem why it is no document. REQUIRES
  /// kRecordPadding readable bytes after it.
  void read(const Source& source, std::string_view record, RecordFields& fields);

 private:
  void read_text(std::string_view bytes, RecordFields& fields);
  void read_html(std::string_view bytes, RecordFields& fields);

  const FieldNames& names_;
  JsonRecordReader json_;
  CsvRecordReader csv_;
  std::string decoded_, text_;
};

}  // namespace leitong
