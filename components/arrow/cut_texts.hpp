// Takes bytes out of the texts of an Arrow column.
#pragma once

#include <arrow/array/array_base.h>
#include <arrow/memory_pool.h>
#include <arrow/result.h>
#include <arrow/type.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "row_cuts.hpp"

namespace leitong {

/// Fails with NotImplemented for texts that can't be changed: those of a dictionary, which many rows share.
/// `path`: a place within the column, as in FieldPath, without the column's own number.
arrow::Status check_cuttable(const arrow::DataType& column, std::span<const int> path,
                             const std::string& name);

/// The column without what its rows lose; they are numbered from `first_row` on. The texts of a list are
/// counted as one value, joined by line feeds. REQUIRES check_cuttable().
arrow::Result<std::shared_ptr<arrow::Array>> without_cuts(const std::shared_ptr<arrow::Array>& column,
                                                          std::span<const int> path, std::uint64_t first_row,
                                                          RowCuts& cuts, arrow::MemoryPool* pool);

}  // namespace leitong
