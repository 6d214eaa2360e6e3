// Reads columns as texts.
#pragma once

#include <arrow/array.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/result.h>
#include <arrow/type.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/table_files.hpp"

namespace leitong {

/// How a field of this type can be read.
[[nodiscard]] TableField::Kind kind_of(const arrow::DataType& type);

/// The place of a field: the number of its column, those of the fields within structs, and kEachElement for
/// the elements of a list.
using FieldPath = std::vector<int>;
inline constexpr int kEachElement = -1;

/// Lists the fields of a schema with their places. A struct is replaced by its own fields. A list is followed
/// by its elements ("tags[]"), or the fields of these ("messages[].content"), unless they are numbers.
void list_fields(const arrow::Schema& schema, std::vector<TableField>& fields, std::vector<FieldPath>& paths);

/// The values of a field in some rows, in the form of TableRows. Those of a list are joined by line feeds.
class TextColumn {
 public:
  /// Reads `path` of a batch whose columns are checked. The views in `values` are valid as long as this
  /// object.
  arrow::Status read(const arrow::RecordBatch& batch, const FieldPath& path, arrow::MemoryPool* pool,
                     std::vector<std::string_view>& values);

 private:
  std::shared_ptr<arrow::Array> array_;
};

/// Arrow checks a message's buffers only on request, and the offsets of a file may point anywhere. UTF-8 is
/// not checked here, since each text is checked later.
[[nodiscard]] arrow::Status check_column(const arrow::Array& column);

}  // namespace leitong
