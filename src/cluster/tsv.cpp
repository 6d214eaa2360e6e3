#include "cluster/tsv.hpp"

#include <fmt/core.h>

#include <memory>
#include <vector>

#include "corpus/byte_stream.hpp"

namespace leitong {
namespace {

constexpr std::size_t kChunkBytes = 1 << 18;

Result<std::unique_ptr<ByteStream>> open_stream(const std::string& path) {
  LEITONG_ASSIGN(ReadFile file, ReadFile::open(path));
  auto stored = std::make_unique<StoredBytes>(std::move(file), nullptr);
  LEITONG_ASSIGN(const std::string_view beginning, stored->peek());
  const Compression compression = compression_of_content(beginning, path);
  if (compression == Compression::none) return std::unique_ptr<ByteStream>(std::move(stored));
  return make_decoder(compression, std::move(stored));
}

/// Splits at tabs and resolves escapes. A backslash before anything else stands for itself.
void split(std::string_view line, std::vector<std::string>& fields) {
  std::size_t count = 0;
  const auto next_field = [&]() -> std::string& {
    if (count == fields.size()) fields.emplace_back();
    fields[count].clear();
    return fields[count++];
  };
  std::string* field = &next_field();
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\t') {
      field = &next_field();
      continue;
    }
    const char escaped = c == '\\' && i + 1 < line.size() ? line[i + 1] : '\0';
    const std::size_t known =
        escaped == '\0' ? std::string_view::npos : std::string_view("tnr\\").find(escaped);
    if (known == std::string_view::npos) {
      *field += c;
    } else {
      *field += "\t\n\r\\"[known];
      ++i;
    }
  }
  fields.resize(count);
}

}  // namespace

void append_tsv_field(std::string_view field, std::string& out) {
  for (char c : field) {
    switch (c) {
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        out += c;
    }
  }
}

Result<void> read_tsv(const std::string& path,
                      const std::function<Result<void>(std::span<const std::string>, std::uint64_t)>& each) {
  LEITONG_ASSIGN(const std::unique_ptr<ByteStream> stream, open_stream(path));
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
  std::string open_line;  // what the last chunk began and didn't end
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

}  // namespace leitong
