// Formats of typed columns (Parquet, Arrow IPC), which the component of io/table_files.hpp reads and writes.
//
// Only the columns of ids, texts and extra fields are decoded, once and in order. Their values for each row
// go to the store, because reading a single row again would cost a page of each column. In a place,
// `position` is the offset of these values in the store's rows, `detail` their length, and `line` the row.
#pragma once

#include "corpus/record_format.hpp"
#include "io/table_files.hpp"

namespace leitong {

class ColumnFormat final : public RecordFormat {
 public:
  /// `magic`: sources begin with one of these.
  ColumnFormat(std::string_view name, std::vector<std::string_view> endings, TableKind kind,
               std::vector<std::string_view> magic)
      : RecordFormat({.name = name, .endings = std::move(endings), .is_table = true}),
        kind_(kind),
        magic_(std::move(magic)) {}

  [[nodiscard]] bool claims(const Beginning& beginning) const override;
  [[nodiscard]] Result<std::unique_ptr<RecordStream>> open(const InputAccess& access,
                                                           OpenedSource source) const override;
  [[nodiscard]] std::unique_ptr<RecordParser> new_parser(const InputAccess& access) const override;
  [[nodiscard]] std::string mismatch(const Source& a, const Source& b) const override;
  [[nodiscard]] std::unique_ptr<KeptWriter> new_writer(const InputAccess& access,
                                                       const WriteBytes& write) const override;

 private:
  TableKind kind_;
  std::vector<std::string_view> magic_;
};

}  // namespace leitong
