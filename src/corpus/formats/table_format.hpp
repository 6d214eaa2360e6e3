// Tables of text: shared by CSV and TSV.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/byte_format.hpp"

namespace leitong {

/// Rows after a header, as CsvRecordReader reads them. `delimiter`: the usual one, see recognise_dialect().
class TableFormat final : public ByteFormat {
 public:
  TableFormat(std::string_view name, std::vector<std::string_view> endings, char delimiter)
      : ByteFormat({name, std::move(endings), false}), delimiter_(delimiter) {}

  [[nodiscard]] std::unique_ptr<RecordParser> new_parser(const InputAccess& access) const override;
  [[nodiscard]] std::unique_ptr<TextCutter> new_cutter(const InputAccess& access) const override;
  [[nodiscard]] std::unique_ptr<FieldAppender> new_appender(
      const std::vector<AddedField>& fields) const override;
  [[nodiscard]] std::string mismatch(const Source& a, const Source& b) const override;

 private:
  Result<std::unique_ptr<SourceHead>> read_head(std::string_view first_bytes,
                                                const FieldNames& names) const override;
  [[nodiscard]] std::unique_ptr<RecordScanner> new_scanner(const SourceHead* head) const override;

  char delimiter_;
};

}  // namespace leitong
