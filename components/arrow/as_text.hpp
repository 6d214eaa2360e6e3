// Columns as texts.
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

/// What a field of this type can be read as.
[[nodiscard]] TableField::Kind kind_of(const arrow::DataType& type);

/// Where a field lies: the number of its column, and those of the fields within structs.
using FieldPath = std::vector<int>;

/// The fields of a schema, structs after their own fields left out, and their places.
void list_fields(const arrow::Schema& schema, std::vector<TableField>& fields, std::vector<FieldPath>& paths);

/// The values of a field in some rows, as TableRows has them.
class TextColumn {
 public:
  /// Reads `path` of a batch whose columns are checked. What `values` show lives as long as this object.
  arrow::Status read(const arrow::RecordBatch& batch, const FieldPath& path, arrow::MemoryPool* pool,
                     std::vector<std::string_view>& values);

 private:
  std::shared_ptr<arrow::Array> array_;
};

/// Arrow checks what a message says of its buffers only when told so, and a file's offsets may point
/// anywhere. UTF-8 is not checked, which is the affair of each text.
[[nodiscard]] arrow::Status check_column(const arrow::Array& column);

}  // namespace leitong
