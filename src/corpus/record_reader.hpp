// A record of any kind, read by one thread.
#pragma once

#include <string_view>

#include "corpus/json_record.hpp"
#include "corpus/record_fields.hpp"
#include "corpus/source_list.hpp"

namespace leitong {

/// The readers of all kinds, with their buffers.
class RecordReader {
 public:
  explicit RecordReader(const FieldNames& names) : json_(names) {}

  /// Fills `fields` from a record of `source`, or says in fields.problem why it is no document. REQUIRES
  /// kRecordPadding readable bytes after it.
  void read(const Source& source, std::string_view record, RecordFields& fields);

 private:
  JsonRecordReader json_;
};

}  // namespace leitong
