// The outputs that are rows: as text, or, where the name of the file says so, as a table of the same columns.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/pair.hpp"
#include "cluster/pairs_file.hpp"
#include "io/output_file.hpp"
#include "io/table_files.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Rows of one output, gathered to blocks.
class RowFile {
 public:
  /// `name` is that of the file. Where it names a table, `columns` are its columns. Both outlive this object.
  /// Fails as table_files().
  static Result<RowFile> open(OutputFile& file, std::string_view name, std::vector<TableColumn> columns);

  /// Null where rows are text.
  [[nodiscard]] TableWriter* table() noexcept { return table_.get(); }
  /// To which a row of text is appended.
  [[nodiscard]] std::string& text() noexcept { return text_; }
  Result<void> end_row();
  Result<void> finish();

 private:
  explicit RowFile(OutputFile& file) : file_(&file) {}
  Result<void> flush();

  OutputFile* file_;
  std::string text_;
  std::unique_ptr<TableWriter> table_;
};

/// Can files of these names be written, of which some may be tables? To be asked before hours of work.
[[nodiscard]] Result<void> check_row_files(const std::vector<std::string>& names);

/// A document that was removed. `place` and `method` are there together, `reason` by itself.
struct RemovedRow {
  std::string_view id, kept;
  std::uint32_t cluster = 0;
  Measure measure = Measure::identical;
  float score = 1;
  std::optional<std::string> place = std::nullopt;
  std::string_view method = {};
  std::optional<std::string> reason = std::nullopt;
};
/// The columns of rows that have what these say.
[[nodiscard]] std::vector<TableColumn> removed_columns(bool place_and_method, bool reason);
Result<void> write_row(RowFile& file, const RemovedRow& row);

/// An id and the number of a set.
[[nodiscard]] std::vector<TableColumn> number_columns(std::string_view set);
Result<void> write_row(RowFile& file, std::string_view id, std::uint32_t number);

/// A similar pair; begin_pairs() writes what stands before the first row of text.
[[nodiscard]] std::vector<TableColumn> pair_columns(PairsVersion version);
void begin_pairs(RowFile& file, PairsVersion version);
Result<void> write_row(RowFile& file, const PairRow& row, PairsVersion version);

}  // namespace leitong
