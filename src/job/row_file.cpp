#include "job/row_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "io/tsv.hpp"
#include "leitong/json.hpp"
#include "leitong/utf8.hpp"
#include "similarity/reason.hpp"
#include "similarity/relation.hpp"

namespace leitong {
namespace {

// Rows are collected in blocks of about this many bytes.
constexpr std::size_t kBlock = 1 << 20;

using Type = TableColumn::Type;

void put_text(TableWriter& table, std::string_view text) {
  std::string buffer;
  table.text(shown_text(text, buffer));
}

}  // namespace

std::string_view shown_text(std::string_view text, std::string& buffer) {
  buffer.clear();
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedPoint point = decode_utf8(text, at);
    if (!point.valid) {
      buffer.append(text.substr(copied, at - copied)).append("\xef\xbf\xbd");
      copied = at + point.length;
    }
    at += point.length;
  }
  if (copied == 0) return text;
  return buffer.append(text.substr(copied));
}

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

namespace {

// The names of the values of a loss: for a text that leaves, and for one that stays.
struct LossNames {
  std::string_view share, units, longest;
};
constexpr LossNames kLost = {"loss", "lost_units", "longest_lost"},
                    kOwn = {"own", "own_units", "longest_own"};

void add_loss_columns(std::vector<TableColumn>& columns, const LossNames& names, bool places) {
  columns.push_back({"relation"});
  columns.push_back({std::string(names.share), Type::number});
  columns.push_back({std::string(names.units), Type::integer});
  columns.push_back({"reworded_units", Type::integer});
  columns.push_back({"changed_numbers", Type::integer});
  columns.push_back({fmt::format("{}_run", names.longest), Type::integer});
  if (!places) return;
  columns.push_back({fmt::format("{}_begin", names.longest), Type::integer});
  columns.push_back({fmt::format("{}_end", names.longest), Type::integer});
}

void put_loss(RowFile& file, const LossNames& names, Relation relation, const Loss& loss,
              const std::optional<ByteRange>& longest) {
  if (TableWriter* const table = file.table()) {
    table->text(relation_name(relation));
    table->number(static_cast<float>(loss.share()));
    for (const std::uint32_t units : {loss.lost, loss.reworded, loss.numbers, loss.longest})
      table->integer(units);
    if (!longest) return;
    table->integer(longest->begin);
    table->integer(longest->end);
    return;
  }
  const auto out = std::back_inserter(file.text());
  fmt::format_to(
      out, R"(,"relation":"{}","{}":{:.4g},"{}":{},"reworded_units":{},"changed_numbers":{},"{}_run":{})",
      relation_name(relation), names.share, loss.share(), names.units, loss.lost, loss.reworded, loss.numbers,
      names.longest, loss.longest);
  if (longest)
    fmt::format_to(out, R"(,"{0}_begin":{1},"{0}_end":{2})", names.longest, longest->begin, longest->end);
}

}  // namespace

std::vector<TableColumn> removed_columns(bool places_and_method, bool reason, LossColumns loss) {
  std::vector<TableColumn> columns = {{"id"}};
  if (places_and_method) columns.push_back({"place"});
  columns.push_back({"kept"});
  if (places_and_method) columns.push_back({"kept_place"});
  columns.insert(columns.end(), {{"cluster", Type::integer}, {"measure"}, {"score", Type::number}});
  if (places_and_method) columns.push_back({"method"});
  if (reason) columns.push_back({"reason"});
  if (loss != LossColumns::none) add_loss_columns(columns, kLost, loss == LossColumns::with_places);
  return columns;
}

Result<void> write_row(RowFile& file, const RemovedRow& row) {
  if (TableWriter* const table = file.table()) {
    put_text(*table, row.id);
    if (row.place) put_text(*table, *row.place);
    put_text(*table, row.kept);
    if (row.place) put_text(*table, row.kept_place);
    table->integer(row.cluster);
    table->text(measure_name(row.measure));
    table->number(row.score);
    if (row.place) table->text(row.method);
    if (row.reason) table->text(*row.reason);
    if (row.loss) put_loss(file, kLost, row.relation, *row.loss, row.longest);
    return file.end_row();
  }
  const auto out = std::back_inserter(file.text());
  fmt::format_to(out, R"({{"id":{},)", json_string(row.id));
  if (row.place) fmt::format_to(out, R"("place":{},)", json_string(*row.place));
  fmt::format_to(out, R"("kept":{},)", json_string(row.kept));
  if (row.place) fmt::format_to(out, R"("kept_place":{},)", json_string(row.kept_place));
  fmt::format_to(out, R"("cluster":{},"measure":"{}","score":{:.6g})", row.cluster, measure_name(row.measure),
                 row.score);
  if (row.place) fmt::format_to(out, R"(,"method":"{}")", row.method);
  if (row.reason) fmt::format_to(out, R"(,"reason":{})", json_string(*row.reason));
  if (row.loss) put_loss(file, kLost, row.relation, *row.loss, row.longest);
  file.text() += "}\n";
  return file.end_row();
}

std::vector<TableColumn> staying_columns() {
  std::vector<TableColumn> columns = {
      {"id"}, {"place"}, {"relative"}, {"cluster", Type::integer}, {"reason"}};
  add_loss_columns(columns, kOwn, true);
  return columns;
}

Result<void> write_row(RowFile& file, const StayingRow& row) {
  if (TableWriter* const table = file.table()) {
    put_text(*table, row.id);
    put_text(*table, row.place);
    put_text(*table, row.relative);
    table->integer(row.cluster);
    table->text(row.reason);
    put_loss(file, kOwn, row.relation, row.loss, row.longest);
    return file.end_row();
  }
  const auto out = std::back_inserter(file.text());
  fmt::format_to(out, R"({{"id":{},"place":{},"relative":{},"cluster":{},"reason":{})", json_string(row.id),
                 json_string(row.place), json_string(row.relative), row.cluster, json_string(row.reason));
  put_loss(file, kOwn, row.relation, row.loss, row.longest);
  file.text() += "}\n";
  return file.end_row();
}

std::vector<TableColumn> number_columns(std::string_view set, bool kept) {
  std::vector<TableColumn> columns = {{"id"}, {std::string(set), Type::integer}};
  if (kept) columns.push_back({"kept"});
  return columns;
}

Result<void> write_row(RowFile& file, std::string_view id, std::uint32_t number,
                       std::optional<std::string_view> kept) {
  if (TableWriter* const table = file.table()) {
    put_text(*table, id);
    table->integer(number);
    if (kept) put_text(*table, *kept);
    return file.end_row();
  }
  std::string& text = file.text();
  append_tsv_field(id, text);
  fmt::format_to(std::back_inserter(text), "\t{}", number);
  if (kept) {
    text += '\t';
    append_tsv_field(*kept, text);
  }
  text += '\n';
  return file.end_row();
}

std::vector<TableColumn> pair_columns(PairsVersion version) {
  static constexpr std::array<std::string_view, 5> kTexts = {"id_a", "id_b", "measure", "reason", "relation"};
  static constexpr std::array<std::string_view, 19> kIntegers = {
      "doc_a",       "doc_b",     "units_a",   "units_b",   "own_a",      "lost_a",     "reworded_a",
      "lost_long_a", "longest_a", "numbers_a", "own_b",     "lost_b",     "reworded_b", "lost_long_b",
      "longest_b",   "numbers_b", "renamed_a", "renamed_b", "other_signs"};
  const auto in = [](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<TableColumn> columns;
  const std::string line = pairs_header(version);
  std::string_view header = line;
  header.remove_suffix(1);  // removes the line feed
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

namespace {

void put_pair(TableWriter& table, const PairRow& row, PairsVersion version) {
  const VerifiedPair& pair = row.pair;
  put_text(table, row.id_a);
  put_text(table, row.id_b);
  table.text(measure_name(pair.measure));
  for (const float part : {pair.score, pair.jaccard, pair.containment}) table.number(part);
  for (const std::uint32_t number : {pair.a, pair.b, row.units_a, row.units_b}) table.integer(number);
  if (version.own_text) {
    const WithoutTemplate own = own_measures(pair);
    for (const float part : {own.jaccard, own.containment, own.template_share}) table.number(part);
    table.text(reason_of(pair, true, version.numbers));
  }
  if (version.losses) {
    const Loss a = row.losses.a.value_or(Loss()), b = row.losses.b.value_or(Loss());
    for (const Loss& loss : {a, b}) table.number(static_cast<float>(loss.share()));
    for (const Loss& loss : {a, b})
      for (const auto count : Loss::counts()) table.integer(loss.*count);
    for (const Loss& loss : {a, b}) table.integer(loss.renamed ? 1 : 0);
    table.integer(a.other_signs || b.other_signs ? 1 : 0);
    table.text(relation_name(relation_of(row.losses, row.units_a, row.units_b)));
  }
}

}  // namespace

Result<void> write_rows(RowFile& file, std::size_t rows, const std::function<PairRow(std::size_t)>& row_of,
                        PairsVersion version, StopToken stop) {
  if (TableWriter* const table = file.table()) {
    for (std::size_t i = 0; i < rows; ++i) {
      put_pair(*table, row_of(i), version);
      LEITONG_TRY(file.end_row());
    }
    return {};
  }
  constexpr std::size_t kBlock = 256;
  std::vector<std::string> blocks((rows + kBlock - 1) / kBlock);
  LEITONG_TRY(parallel_for_each(stop, blocks.size(), [&](std::size_t block) -> Result<void> {
    for (std::size_t i = block * kBlock; i < std::min(rows, (block + 1) * kBlock); ++i)
      append_pair_row(row_of(i), version, blocks[block]);
    return {};
  }));
  for (const std::string& block : blocks) {
    file.text() += block;
    LEITONG_TRY(file.end_row());
  }
  return {};
}

}  // namespace leitong
