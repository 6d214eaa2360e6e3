#include "corpus/csv_record.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "base/try.hpp"
#include "corpus/json_names.hpp"

namespace leitong {

std::string CsvRecordReader::split(std::string_view record, CsvDialect dialect, std::size_t& fault) {
  const char delimiter = dialect.delimiter;
  cells_.clear();
  for (std::size_t at = 0;;) {
    if (dialect.quotes && at < record.size() && record[at] == '"') {
      Cell cell{{}, false, true};
      const std::size_t begin = at + 1;
      std::size_t close = record.find('"', begin);
      while (close != std::string_view::npos && record.substr(close + 1, 1) == "\"") {
        cell.has_doubled_quotes = true;
        close = record.find('"', close + 2);
      }
      fault = close == std::string_view::npos ? at : close + 1;
      if (close == std::string_view::npos)
        return fmt::format(
            "the quote that opens column {} isn't closed; if quotes are no more than characters here, set "
            "the "
            "quote to none",
            cells_.size() + 1);
      cell.inside = record.substr(begin, close - begin);
      cells_.push_back(cell);
      at = close + 1;
      if (at == record.size()) return {};
      if (record[at] != delimiter)
        return fmt::format("something follows the closing quote of column {}", cells_.size());
      ++at;
    } else {
      const std::size_t end = std::min(record.find(delimiter, at), record.size());
      cells_.push_back({record.substr(at, end - at), false, false});
      if (end == record.size()) return {};
      at = end + 1;
    }
  }
}

std::string_view CsvRecordReader::value(std::size_t column, std::string& buffer) const {
  const Cell& cell = cells_[column];
  if (!cell.has_doubled_quotes) return cell.inside;
  buffer.clear();
  for (std::size_t at = 0; at < cell.inside.size();) {
    const std::size_t quote = std::min(cell.inside.find('"', at), cell.inside.size() - 1);
    buffer += cell.inside.substr(at, quote + 1 - at);
    at = quote + (cell.inside[quote] == '"' ? 2 : 1);
  }
  return buffer;
}

void CsvRecordReader::read(const CsvLayout& layout, const FieldNames& names, std::string_view record,
                           RecordFields& fields) {
  fields.clear();
  fields.problem = split(record, layout.dialect, fields.fault);
  if (!fields.problem.empty()) return;
  fields.fault = RecordFields::kNowhere;
  if (cells_.size() != layout.columns) {
    fields.problem = fmt::format("{} {}, but the header has {}", cells_.size(),
                                 cells_.size() == 1 ? "column" : "columns", layout.columns);
    return;
  }
  buffers_.resize(names.names.size());
  const auto field = [&](std::size_t slot) {
    const std::size_t column = layout.column_of[slot];
    return column == CsvLayout::kNoColumn ? std::string_view() : value(column, buffers_[slot]);
  };
  const std::string_view id = field(0);
  if (id.find('\0') != std::string_view::npos || find_invalid_utf8(id) != std::string_view::npos) {
    fields.problem = fmt::format("column \"{}\" holds a NUL character or invalid UTF-8", names.names[0]);
    blame_bytes(layout.column_of[0], record, fields);
    return;
  }
  fields.id = id;
  bool joined = false;
  for (std::size_t slot = 1; slot < names.texts_end; ++slot) {
    const std::string_view text = field(slot);
    if (text.empty()) continue;
    if (fields.text.empty()) {
      fields.text = text;
      continue;
    }
    if (!joined) joined_ = fields.text;
    joined = true;
    joined_ += '\n';
    joined_ += text;
    fields.text = joined_;
  }
  if (check_text(fields.text, false, names, fields) != RecordFields::kNowhere) {
    // The texts of several columns may be joined, and quotes may be doubled.
    for (std::size_t slot = 1; slot < names.texts_end; ++slot)
      if (layout.column_of[slot] != CsvLayout::kNoColumn) blame_bytes(layout.column_of[slot], record, fields);
  }
  for (std::size_t slot = names.texts_end; slot < names.names.size(); ++slot)
    fields.extra.push_back(field(slot));
}

// If no fault is known yet.
void CsvRecordReader::blame_bytes(std::size_t column, std::string_view record, RecordFields& fields) const {
  if (fields.fault != RecordFields::kNowhere) return;
  const std::string_view inside = cells_[column].inside;
  const std::size_t at = std::min(find_invalid_utf8(inside), inside.find('\0'));
  if (at != std::string_view::npos)
    fields.fault = static_cast<std::size_t>(inside.data() - record.data()) + at;
}

void CsvRecordReader::append_texts(const CsvLayout& layout, const FieldNames& names,
                                   std::vector<TextToken>& tokens) const {
  for (std::size_t slot = 1; slot < names.texts_end; ++slot) {
    const std::size_t column = layout.column_of[slot];
    if (column == CsvLayout::kNoColumn || cells_[column].inside.empty()) continue;
    tokens.push_back({cells_[column].inside, cells_[column].quoted   ? TextForm::quoted
                                             : layout.dialect.quotes ? TextForm::cell
                                                                     : TextForm::plain});
  }
}

std::size_t CsvRecordReader::quoted_cells() const noexcept {
  return static_cast<std::size_t>(std::ranges::count(cells_, true, &Cell::quoted));
}

Result<std::vector<std::string>> CsvRecordReader::header_names(std::string_view header, CsvDialect dialect) {
  std::size_t fault = 0;
  if (std::string problem = split(header, dialect, fault); !problem.empty())
    return fail(ErrorCode::corrupt, "the header can't be read: " + problem);
  std::vector<std::string> found;
  std::string buffer;
  for (std::size_t column = 0; column < cells_.size(); ++column) found.emplace_back(value(column, buffer));
  return found;
}

Result<CsvLayout> CsvRecordReader::read_header(std::string_view header, CsvDialect dialect,
                                               const FieldNames& names) {
  LEITONG_ASSIGN(const std::vector<std::string> found, header_names(header, dialect));
  CsvLayout layout{dialect, found.size(), {}};
  for (const std::string& name : names.names) {
    const auto column = std::find(found.begin(), found.end(), name);
    if (column != found.end() && std::find(column + 1, found.end(), name) != found.end())
      return fail(ErrorCode::invalid_argument, fmt::format("the column \"{}\" occurs twice", name));
    layout.column_of.push_back(column == found.end() ? CsvLayout::kNoColumn
                                                     : static_cast<std::size_t>(column - found.begin()));
  }
  const bool id_was_asked_for = names.names[0] != "id";
  for (std::size_t slot = id_was_asked_for ? 0 : 1; slot < names.texts_end; ++slot) {
    if (layout.column_of[slot] != CsvLayout::kNoColumn) continue;
    if (is_list_name(names.names[slot]))
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("\"{}\" names a list, and a table of text has none; name a column, or convert the "
                      "file to JSONL or Parquet",
                      names.names[slot]));
    const std::string field = slot == 0 ? "the id field" : "the text field";
    return fail(
        ErrorCode::not_found,
        missing_field_message("column", names.names[slot], found, "") +
            fmt::format("; set {} to one of these. Columns are taken to be separated by {}; if they are "
                        "not, set the delimiter",
                        field, delimiter_name(dialect.delimiter)));
  }
  return layout;
}

}  // namespace leitong
