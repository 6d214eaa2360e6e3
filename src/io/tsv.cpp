#include "io/tsv.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "base/try.hpp"
#include "io/byte_stream.hpp"
#include "io/table_bytes.hpp"

namespace leitong {
namespace {

constexpr std::size_t kChunkBytes = 1 << 18;
constexpr std::string_view kEscaped = "\t\n\r\\", kLetters = "tnr\\";
constexpr std::size_t kHexEscape = 4;  // bytes of \xHH

bool is_control(unsigned char byte) { return byte < 0x20 || byte == 0x7f; }

/// The control character of a leading \xHH.
std::optional<char> hex_escaped(std::string_view text) {
  if (text.size() < kHexEscape || text[1] != 'x') return std::nullopt;
  unsigned char byte = 0;
  const char* const end = text.data() + kHexEscape;
  const auto [stop, error] = std::from_chars(text.data() + 2, end, byte, 16);
  if (error != std::errc() || stop != end || !is_control(byte)) return std::nullopt;
  return static_cast<char>(byte);
}

/// Splits at tabs and resolves escapes.
void split(std::string_view line, std::vector<std::string>& fields) {
  std::size_t count = 0;
  for (std::size_t begin = 0; begin <= line.size(); ++count) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    if (count == fields.size()) fields.emplace_back();
    fields[count].clear();
    append_unescaped_tsv_field(line.substr(begin, end - begin), fields[count]);
    begin = end + 1;
  }
  fields.resize(count);
}

using EachRow = std::function<Result<void>(std::span<const std::string>, std::uint64_t)>;

/// The rows of a table, every value as text.
Result<void> read_table(const std::string& path, TableForm form, const EachRow& each, StopToken stop) {
  const auto named = [&](Error error) {
    error.message = fmt::format("{}: {}", path, without_path(std::move(error.message), path));
    return tl::unexpected<Error>(std::move(error));
  };
  const auto files = table_files();
  if (!files) return named(files.error());
  LEITONG_ASSIGN(ReadFile file, ReadFile::open(path, stop));
  const FileStamp stamp = file.stamp();
  LEITONG_ASSIGN(std::unique_ptr<TableBytes> bytes, bytes_of_file(std::move(file), stamp, path));
  const TableKind kind = form == TableForm::parquet ? TableKind::parquet : TableKind::arrow;
  auto reader = (*files)->open(kind, std::move(bytes), 0);
  if (!reader) return named(std::move(reader).error());
  std::vector<std::size_t> all((*reader)->fields().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (auto chosen = (*reader)->choose(all); !chosen) return named(std::move(chosen).error());

  TableRows rows;
  std::vector<std::string> fields(all.size());
  for (std::uint64_t number = 1;;) {
    const Result<bool> more = (*reader)->next(rows);
    if (!more) return named(more.error());
    if (!*more) return {};
    for (std::size_t row = 0; row < rows.count; ++row, ++number) {
      for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = rows.values[i][row];
      Result<void> taken = each(fields, number);
      if (!taken) taken.error().message = fmt::format("{}:{}: {}", path, number, taken.error().message);
      LEITONG_TRY(taken);
    }
  }
}

}  // namespace

Result<void> read_tsv(const std::string& path,
                      const std::function<Result<void>(std::span<const std::string>, std::uint64_t)>& each,
                      StopToken stop) {
  if (const auto form = table_form_of_name(path)) return read_table(path, *form, each, stop);
  LEITONG_ASSIGN(const std::unique_ptr<ByteStream> stream, open_decoded(path, stop));
  const auto named = [&](Error error) {
    if (error.code == ErrorCode::corrupt) error.message = fmt::format("{}: {}", path, error.message);
    return tl::unexpected<Error>(std::move(error));
  };

  std::vector<std::string> fields;
  std::uint64_t number = 0;
  const auto take = [&](std::string_view line) -> Result<void> {
    if (++number == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) return {};
    split(line, fields);
    Result<void> result = each(fields, number);
    if (!result) result.error().message = fmt::format("{}:{}: {}", path, number, result.error().message);
    return result;
  };

  std::vector<char> chunk(kChunkBytes);
  std::string open_line;  // incomplete line of the last chunk
  for (;;) {
    Result<std::size_t> size = stream->read(chunk.data(), chunk.size());
    if (!size) return named(std::move(size).error());
    if (*size == 0) break;
    std::string_view rest(chunk.data(), *size);
    for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
      if (open_line.empty()) {
        LEITONG_TRY(take(rest.substr(0, end)));
      } else {
        open_line += rest.substr(0, end);
        LEITONG_TRY(take(open_line));
        open_line.clear();
      }
    }
    open_line += rest;
  }
  if (!open_line.empty()) LEITONG_TRY(take(open_line));
  return {};
}

void append_tsv_field(std::string_view field, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto is_plain = [](char c) { return !is_control(static_cast<unsigned char>(c)) && c != '\\'; };
  while (!field.empty()) {
    const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(field, is_plain) - field.begin());
    out += field.substr(0, plain);
    field.remove_prefix(plain);
    if (field.empty()) return;
    const auto byte = static_cast<unsigned char>(field[0]);
    if (const std::size_t known = kEscaped.find(field[0]); known != std::string_view::npos)
      out += {'\\', kLetters[known]};
    else
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    field.remove_prefix(1);
  }
}

void append_unescaped_tsv_field(std::string_view escaped, std::string& out) {
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    const std::string_view rest = escaped.substr(i);
    const std::size_t known =
        rest[0] == '\\' && rest.size() > 1 ? kLetters.find(rest[1]) : std::string_view::npos;
    if (known != std::string_view::npos) {
      out += kEscaped[known];
      ++i;
    } else if (const std::optional<char> control = rest[0] == '\\' ? hex_escaped(rest) : std::nullopt) {
      out += *control;
      i += kHexEscape - 1;
    } else {
      out += rest[0];
    }
  }
}

}  // namespace leitong
