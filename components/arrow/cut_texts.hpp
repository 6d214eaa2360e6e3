// What rows lose of one field while they are copied, and how bytes are cut out of the texts of an Arrow
// column.
#pragma once

#include <arrow/array/array_base.h>
#include <arrow/memory_pool.h>
#include <arrow/result.h>
#include <arrow/type.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/byte_range.hpp"

namespace leitong {

/// The cuts of one field, by the numbers of the rows that are kept.
class RowCuts {
 public:
  void add(std::uint64_t row, std::span<const ByteRange> ranges) {
    rows_.push_back({row, {ranges.begin(), ranges.end()}});
  }
  /// Those of a row, or nothing; cuts of rows before it are dropped. REQUIRES ascending rows.
  [[nodiscard]] std::span<const ByteRange> of(std::uint64_t row) {
    while (!rows_.empty() && rows_.front().first < row) rows_.pop_front();
    if (rows_.empty() || rows_.front().first != row) return {};
    return rows_.front().second;
  }
  /// Has a row of [begin, end) any?
  [[nodiscard]] bool any_in(std::uint64_t begin, std::uint64_t end) {
    (void)of(begin);
    return !rows_.empty() && rows_.front().first < end;
  }

 private:
  std::deque<std::pair<std::uint64_t, std::vector<ByteRange>>> rows_;
};

/// A text, which begins at byte `base` of the value that the ranges are of, without them. Returns true if it
/// lost something.
bool without_ranges(std::string_view text, std::size_t base, std::span<const ByteRange> ranges,
                    std::string& left);

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
