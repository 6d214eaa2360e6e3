// Where the fields of a Parquet file are among its columns.
#pragma once

#include <parquet/arrow/schema.h>

#include <algorithm>
#include <vector>

#include "as_text.hpp"

namespace leitong {

/// The field at a path that list_fields() gives.
[[nodiscard]] inline const parquet::arrow::SchemaField& field_at(
    const parquet::arrow::SchemaManifest& manifest, const FieldPath& path) {
  const parquet::arrow::SchemaField* field = nullptr;
  for (const int child : path)
    field = &(field == nullptr ? manifest.schema_fields
                               : field->children)[static_cast<std::size_t>(std::max(child, 0))];
  return *field;
}

/// Appends the numbers of its columns.
inline void list_leaves(const parquet::arrow::SchemaField& field, std::vector<int>& leaves) {
  if (field.is_leaf()) leaves.push_back(field.column_index);
  for (const auto& child : field.children) list_leaves(child, leaves);
}

}  // namespace leitong
