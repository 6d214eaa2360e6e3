// The columns that a copied table gets, and their values.
#pragma once

#include <arrow/array/array_base.h>
#include <arrow/memory_pool.h>
#include <arrow/status.h>
#include <arrow/type.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arrow_io.hpp"
#include "cut_texts.hpp"
#include "io/table_files.hpp"

namespace leitong {

/// Keeps the values of rows until they are written.
class AddedColumns {
 public:
  AddedColumns(std::vector<AddedField> fields, arrow::MemoryPool* pool)
      : fields_(std::move(fields)), pool_(pool), values_(fields_.size()) {}

  [[nodiscard]] const std::vector<AddedField>& fields() const { return fields_; }
  /// The schema with these columns behind its own.
  [[nodiscard]] std::shared_ptr<arrow::Schema> extended(const arrow::Schema& schema) const;

  /// The values of the next row; copied.
  void append(std::span<const AddedValue> values);
  /// Takes the values of the first `rows` rows out, as arrays that are appended to `columns`.
  arrow::Status take(std::int64_t rows, arrow::ArrayVector& columns);

  /// A value that owns its text.
  using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::string>;
  /// The values of the rows that were not taken yet.
  [[nodiscard]] std::deque<Value>& values(std::size_t field) { return values_[field]; }

 private:
  std::vector<AddedField> fields_;
  arrow::MemoryPool* pool_;
  std::vector<std::deque<Value>> values_;  // by column
};

/// What the copiers of both forms have in common: memory, the columns that are added, and what rows lose.
class ExtendingCopier : public TableCopier {
 public:
  Result<void> extend(std::vector<AddedField> fields) final {
    added_.emplace(std::move(fields), memory_.pool());
    return {};
  }

  Result<void> append(std::span<const AddedValue> values) final {
    added_->append(values);
    return {};
  }

  Result<void> cut_fields(std::vector<std::string> names) final {
    cut_names_ = std::move(names);
    cuts_.resize(cut_names_.size());
    return {};
  }

  Result<void> cut(std::uint64_t row, std::size_t field, std::span<const ByteRange> ranges) final {
    cuts_[field].add(row, ranges);
    return {};
  }

 protected:
  explicit ExtendingCopier(std::uint64_t memory) : memory_(memory) {}

  Memory memory_;
  std::optional<AddedColumns> added_;  // nothing: no columns are added
  std::vector<std::string> cut_names_;
  std::vector<RowCuts> cuts_;  // by field
};

}  // namespace leitong
