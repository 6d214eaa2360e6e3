#include "job/row_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/json_string.hpp"
#include "base/try.hpp"
#include "base/utf8.hpp"
#include "io/tsv.hpp"
#include "similarity/reason.hpp"

namespace leitong {
namespace {

// Rows are gathered to blocks of about this many bytes.
constexpr std::size_t kBlock = 1 << 20;

using Type = TableColumn::Type;

/// A path may be any bytes; what isn't UTF-8 in it is shown as U+FFFD, as in JSON.
void put_text(TableWriter& table, std::string_view text) {
  std::string shown;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedPoint point = decode_utf8(text, at);
    if (!point.valid) {
      shown.append(text.substr(copied, at - copied)).append("\xef\xbf\xbd");
      copied = at + point.length;
    }
    at += point.length;
  }
  if (copied == 0) return table.text(text);
  table.text(shown.append(text.substr(copied)));
}

}  // namespace

Result<RowFile> RowFile::open(OutputFile& file, std::string_view name, std::vector<TableColumn> columns) {
  RowFile rows(file);
  if (const std::optional<TableForm> form = table_form_of_name(name)) {
    LEITONG_ASSIGN(const TableFiles* const files, table_files());
    LEITONG_ASSIGN(rows.table_,
                   files->new_writer(*form, std::move(columns),
                                     [to = &file](std::string_view bytes) { return to->write(bytes); }));
  }
  return rows;
}

Result<void> RowFile::flush() {
  LEITONG_TRY(file_->write(text_));
  text_.clear();
  return {};
}

Result<void> RowFile::end_row() {
  if (table_ != nullptr) return table_->end_row();
  return text_.size() >= kBlock ? flush() : Result<void>{};
}

Result<void> RowFile::finish() { return table_ != nullptr ? table_->finish() : flush(); }

Result<void> check_row_files(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!table_form_of_name(name)) continue;
    if (const auto files = table_files(); !files)
      return fail(files.error().code, fmt::format("{}: {}", name, files.error().message));
  }
  return {};
}

std::vector<TableColumn> removed_columns(bool place_and_method, bool reason) {
  std::vector<TableColumn> columns = {{"id"}};
  if (place_and_method) columns.push_back({"place"});
  columns.insert(columns.end(), {{"kept"}, {"cluster", Type::integer}, {"measure"}, {"score", Type::number}});
  if (place_and_method) columns.push_back({"method"});
  if (reason) columns.push_back({"reason"});
  return columns;
}

Result<void> write_row(RowFile& file, const RemovedRow& row) {
  if (TableWriter* const table = file.table()) {
    put_text(*table, row.id);
    if (row.place) put_text(*table, *row.place);
    put_text(*table, row.kept);
    table->integer(row.cluster);
    table->text(measure_name(row.measure));
    table->number(row.score);
    if (row.place) table->text(row.method);
    if (row.reason) table->text(*row.reason);
    return file.end_row();
  }
  const auto out = std::back_inserter(file.text());
  fmt::format_to(out, R"({{"id":{},)", json_string(row.id));
  if (row.place) fmt::format_to(out, R"("place":{},)", json_string(*row.place));
  fmt::format_to(out, R"("kept":{},"cluster":{},"measure":"{}","score":{:.6g})", json_string(row.kept),
                 row.cluster, measure_name(row.measure), row.score);
  if (row.place) fmt::format_to(out, R"(,"method":"{}")", row.method);
  if (row.reason) fmt::format_to(out, R"(,"reason":{})", json_string(*row.reason));
  file.text() += "}\n";
  return file.end_row();
}

std::vector<TableColumn> number_columns(std::string_view set) {
  return {{"id"}, {std::string(set), Type::integer}};
}

Result<void> write_row(RowFile& file, std::string_view id, std::uint32_t number) {
  if (TableWriter* const table = file.table()) {
    put_text(*table, id);
    table->integer(number);
    return file.end_row();
  }
  append_tsv_field(id, file.text());
  fmt::format_to(std::back_inserter(file.text()), "\t{}\n", number);
  return file.end_row();
}

std::vector<TableColumn> pair_columns(PairsVersion version) {
  static constexpr std::array<std::string_view, 4> kTexts = {"id_a", "id_b", "measure", "reason"};
  static constexpr std::array<std::string_view, 4> kIntegers = {"doc_a", "doc_b", "units_a", "units_b"};
  const auto in = [](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<TableColumn> columns;
  std::string_view header = pairs_header(version);
  header.remove_suffix(1);  // the line feed
  while (!header.empty()) {
    const std::string_view name = header.substr(0, header.find('\t'));
    columns.push_back({std::string(name), in(kTexts, name)      ? Type::text
                                          : in(kIntegers, name) ? Type::integer
                                                                : Type::number});
    header.remove_prefix(std::min(header.size(), name.size() + 1));
  }
  return columns;
}

void begin_pairs(RowFile& file, PairsVersion version) {
  if (file.table() == nullptr) file.text().append(pairs_header(version));
}

Result<void> write_row(RowFile& file, const PairRow& row, PairsVersion version) {
  TableWriter* const table = file.table();
  if (table == nullptr) {
    append_pair_row(row, version, file.text());
    return file.end_row();
  }
  const VerifiedPair& pair = row.pair;
  put_text(*table, row.id_a);
  put_text(*table, row.id_b);
  table->text(measure_name(pair.measure));
  for (const float part : {pair.score, pair.jaccard, pair.containment}) table->number(part);
  for (const std::uint32_t number : {pair.a, pair.b, row.units_a, row.units_b}) table->integer(number);
  if (version == PairsVersion::with_own_text) {
    const WithoutTemplate own = own_measures(pair);
    for (const float part : {own.jaccard, own.containment, own.template_share}) table->number(part);
    table->text(reason_of(pair, true));
  }
  return file.end_row();
}

}  // namespace leitong
