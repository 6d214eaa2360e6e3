#include "corpus/csv_dialect.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "corpus/csv_record.hpp"
#include "corpus/csv_scanner.hpp"
#include "corpus/record_fields.hpp"
#include "corpus/stream_reader.hpp"

namespace leitong {
namespace {

constexpr std::array<char, 4> kDelimiters{',', '\t', ';', '|'};

/// The first row of a table.
std::string_view first_row(std::string_view bytes, CsvDialect dialect) {
  std::vector<std::uint32_t> ends;
  CsvScanner(dialect, 0).whole_records(bytes, true, ends);
  return ends.empty() ? std::string_view() : without_line_end(bytes.substr(0, ends.front()));
}

/// The columns of a header, and whether all wanted texts are among them.
struct HeaderFit {
  std::size_t columns = 0;
  bool has_texts = false;
};

HeaderFit header_fit(std::string_view bytes, CsvDialect dialect, const FieldNames& names) {
  CsvRecordReader reader;
  const auto found = reader.header_names(first_row(bytes, dialect), dialect);
  if (!found) return {};
  HeaderFit fit{found->size(), true};
  for (std::size_t slot = 1; slot < names.texts_end; ++slot)
    fit.has_texts &= std::ranges::find(*found, names.names[slot]) != found->end();
  return fit;
}

char find_delimiter(std::string_view bytes, char usual, const FieldNames& names) {
  const HeaderFit fit = header_fit(bytes, {usual}, names);
  if (fit.has_texts) return usual;
  char best = usual;
  std::size_t most = fit.columns;
  for (const char delimiter : kDelimiters) {
    const HeaderFit other = header_fit(bytes, {delimiter}, names);
    if (other.has_texts) return delimiter;
    if (other.columns > most) {
      most = other.columns;
      best = delimiter;
    }
  }
  return best;
}

/// Does every whole line after the header have as many columns, if quotes mean nothing?
bool lines_are_rows(std::string_view rows, char delimiter, std::size_t columns) {
  for (std::size_t feed = rows.find('\n'); feed != std::string_view::npos; feed = rows.find('\n')) {
    const std::string_view line = rows.substr(0, feed);
    const auto found = static_cast<std::size_t>(std::count(line.begin(), line.end(), delimiter)) + 1;
    if (found != columns && !without_line_end(line).empty()) return false;
    rows.remove_prefix(feed + 1);
  }
  return true;
}

bool has_quotes(std::string_view bytes, char delimiter) {
  const CsvDialect quoted{delimiter};
  const std::string_view header = first_row(bytes, quoted);
  CsvRecordReader reader;
  const auto found = reader.header_names(header, quoted);
  std::string_view rows = bytes.substr(std::min(bytes.find('\n', header.size()), bytes.size() - 1) + 1);
  // A sample that ends within a line.
  if (rows.rfind('\n') != std::string_view::npos) rows = rows.substr(0, rows.rfind('\n') + 1);
  if (!found || !lines_are_rows(rows, delimiter, found->size())) return true;
  std::vector<std::uint32_t> ends;
  CsvScanner(quoted, found->size()).whole_records(rows, true, ends);
  std::size_t stray = 0, enclosed = 0, begin = 0;
  for (const std::size_t end : ends) {
    std::size_t fault = 0;
    if (!reader.split(without_line_end(rows.substr(begin, end - begin)), quoted, fault).empty())
      ++stray;
    else
      enclosed += reader.quoted_cells();
    begin = end;
  }
  // One line may have lost its other quote, where values are usually quoted.
  return stray <= enclosed || (delimiter != '\t' && stray < 2);
}

}  // namespace

Result<std::optional<char>> parse_delimiter(std::string_view setting) {
  if (setting.empty()) return std::optional<char>();
  if (setting == "tab" || setting == "\\t") return std::optional<char>('\t');
  const auto byte = static_cast<unsigned char>(setting.front());
  const bool is_one = setting.size() == 1 && byte < 0x80 && (byte >= 0x20 || byte == '\t');
  if (!is_one || setting == "\"")
    return fail(ErrorCode::invalid_argument,
                fmt::format("\"{}\" can't separate columns; name one character, or tab", setting),
                "delimiter");
  return std::optional<char>(setting.front());
}

Result<std::optional<bool>> parse_quote(std::string_view setting) {
  if (setting.empty()) return std::optional<bool>();
  if (setting == "none") return std::optional<bool>(false);
  if (setting == "\"") return std::optional<bool>(true);
  return fail(ErrorCode::invalid_argument,
              fmt::format("\"{}\" is no quote of tables; choose none or \"", setting), "quote");
}

std::string delimiter_name(char delimiter) {
  switch (delimiter) {
    case ',':
      return "commas";
    case '\t':
      return "tabs";
    case ';':
      return "semicolons";
    case '|':
      return "vertical bars";
    case ' ':
      return "spaces";
    default:
      return std::string("\"").append(1, delimiter).append("\"");
  }
}

void append_quoted(std::string_view value, std::string& out) {
  out += '"';
  for (const char c : value) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

CsvDialect recognise_dialect(std::string_view first_bytes, char usual, const FieldNames& names) {
  CsvDialect dialect;
  dialect.delimiter = names.delimiter ? *names.delimiter : find_delimiter(first_bytes, usual, names);
  dialect.quotes = names.quotes ? *names.quotes : has_quotes(first_bytes, dialect.delimiter);
  dialect.is_named = names.quotes.value_or(false);
  return dialect;
}

}  // namespace leitong
