#include "leitong/table.hpp"

#include "base/try.hpp"
#include "io/table_bytes.hpp"
#include "io/table_files.hpp"

namespace leitong {

Result<void> read_arrow(std::string_view bytes, std::span<const std::string_view> columns,
                        std::uint64_t memory, const TableRowFn& each) {
  LEITONG_ASSIGN(const TableFiles* const files, table_files());
  LEITONG_ASSIGN(const auto reader, files->open(TableKind::arrow, bytes_in_memory(bytes), memory));
  constexpr std::size_t kMissing = SIZE_MAX;
  const std::vector<TableField>& fields = reader->fields();
  std::vector<std::size_t> chosen, place;  // the numbers of fields; for each column its place among them
  for (const std::string_view name : columns) {
    LEITONG_ASSIGN(const std::size_t field, find_field(fields, name));
    place.push_back(field == fields.size() ? kMissing : chosen.size());
    if (field != fields.size()) chosen.push_back(field);
  }
  LEITONG_TRY(reader->choose(chosen));
  std::vector<std::string_view> values(columns.size());
  for (TableRows rows;;) {
    LEITONG_ASSIGN(const bool more, reader->next(rows));
    if (!more) return {};
    for (std::size_t row = 0; row < rows.count; ++row) {
      for (std::size_t i = 0; i < columns.size(); ++i)
        if (place[i] != kMissing) values[i] = rows.values[place[i]][row];
      LEITONG_TRY(each(values));
    }
  }
}

Result<std::unique_ptr<TableWriter>> new_arrow_stream(std::vector<TableColumn> columns, ByteSink sink) {
  LEITONG_ASSIGN(const TableFiles* const files, table_files());
  return files->new_writer(TableForm::arrow_stream, std::move(columns), std::move(sink));
}

}  // namespace leitong
