// Adds fields to records, and leaves all their other bytes as they are.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/table_files.hpp"
#include "leitong/result.hpp"

namespace leitong {

struct Source;

/// The fields of one output. Keeps its buffers.
class FieldAppender {
 public:
  virtual ~FieldAppender() = default;
  /// What comes before the records of a source, with the names of the fields if it has names. Fails with
  /// invalid_argument if one of these is there already.
  virtual Result<std::string> head(const Source& source) = 0;
  /// The record with a value for each field, followed by kRecordPadding readable bytes. Valid until the next
  /// call. Fails with invalid_argument if the record has a field of such a name, and with unsupported if it
  /// can't hold a value.
  virtual Result<std::string_view> append(const Source& source, std::string_view record,
                                          std::span<const AddedValue> values) = 0;
};

/// The error for a field or column that is there already.
[[nodiscard]] tl::unexpected<Error> has_field_already(std::string_view thing, std::string_view name);
/// Appends a value that is neither null nor a text, as JSON and tables of text write it.
void append_number(const AddedValue& value, std::string& out);

/// Adds the fields behind the last member of each record. Looks at the names of all members of the record.
[[nodiscard]] std::unique_ptr<FieldAppender> make_json_appender(const std::vector<AddedField>& fields);

}  // namespace leitong
