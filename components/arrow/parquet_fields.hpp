// Where the fields of a Parquet file are among its columns.
#pragma once

#include <parquet/arrow/schema.h>

#include <vector>

#include "as_text.hpp"

namespace leitong {

/// The field at a path that list_fields() gives.
[[nodiscard]] const parquet::arrow::SchemaField& field_at(const parquet::arrow::SchemaManifest& manifest,
                                                          const FieldPath& path);
/// Appends the numbers of its columns.
void list_leaves(const parquet::arrow::SchemaField& field, std::vector<int>& leaves);

}  // namespace leitong
