#include "io/tsv.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/try.hpp"
#include "io/byte_stream.hpp"

namespace leitong {
namespace {

constexpr std::size_t kChunkBytes = 1 << 18;

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

}  // namespace

Result<void> read_tsv(const std::string& path,
                      const std::function<Result<void>(std::span<const std::string>, std::uint64_t)>& each,
                      StopToken stop) {
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
