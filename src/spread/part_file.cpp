#include "spread/part_file.hpp"

#include <fmt/core.h>
#include <zstd.h>

#include <algorithm>
#include <system_error>

#include "base/try.hpp"
#include "io/run_context.hpp"

namespace leitong::spread {
namespace {

constexpr std::string_view kKind = "spread part";
constexpr std::uint32_t kVersion = 1;
constexpr std::string_view kAdvice = "remove it and run the part that writes it again";
constexpr int kLevel = 1;

/// Rows whose bytes of equal significance stand side by side: those that are 0 are then long runs.
constexpr std::size_t kBlockRows = 4096;

/// Calls `each(row, column)` with the places of a byte in the rows and in the columns.
template <class Each>
void each_byte(std::size_t rows, std::size_t unit, Each each) {
  for (std::size_t begin = 0; begin < rows; begin += kBlockRows) {
    const std::size_t size = std::min(kBlockRows, rows - begin);
    for (std::size_t column = 0; column < unit; ++column)
      for (std::size_t row = 0; row < size; ++row)
        each((begin + row) * unit + column, begin * unit + column * size + row);
  }
}

}  // namespace

Result<PartWriter> PartWriter::create(const std::filesystem::path& path, const Context& context) {
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  LEITONG_ASSIGN(std::unique_ptr<OutputFile> file,
                 OutputFile::create(path, true, StopToken(context.state().stop)));
  const auto sink = [to = file.get()](std::string_view bytes) { return to->write(bytes); };
  LEITONG_ASSIGN(SectionWriter sections, SectionWriter::create(sink, kKind, kVersion));
  return PartWriter(std::move(file), std::move(sections));
}

Result<void> PartWriter::finish() {
  LEITONG_TRY(sections_.finish());
  return file_->commit();
}

Result<std::vector<char>> PartWriter::compressed(std::string_view bytes, std::size_t unit) {
  if (bytes.empty()) return std::vector<char>();
  PodVector<char> columns;
  columns.resize_for_overwrite(bytes.size());
  each_byte(bytes.size() / unit, unit,
            [&](std::size_t row, std::size_t column) { columns[column] = bytes[row]; });
  std::vector<char> packed(ZSTD_compressBound(columns.size()));
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), columns.data(), columns.size(), kLevel);
  if (ZSTD_isError(size) != 0)
    return fail(ErrorCode::limit, fmt::format("zstd can't compress: {}", ZSTD_getErrorName(size)));
  packed.resize(size);
  packed.shrink_to_fit();
  return packed;
}

Result<PartFile> PartFile::open(const std::filesystem::path& path) {
  auto file = SectionFile::open(path, kKind, kVersion, kAdvice);
  if (!file && file.error().code == ErrorCode::not_found)
    return fail(ErrorCode::not_found,
                fmt::format("{} is missing: the part that writes it has to be run again", path.string()));
  if (!file) return tl::unexpected(std::move(file).error());
  return PartFile(std::move(*file));
}

tl::unexpected<Error> PartFile::damaged(std::string_view name) const {
  return fail(ErrorCode::corrupt,
              fmt::format("{}: the column {} is damaged; {}", file_.path().string(), name, kAdvice));
}

Result<std::size_t> PartFile::unpacked_size(std::string_view packed, std::size_t unit) const {
  if (packed.empty()) return std::size_t{0};
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size % unit != 0)
    return damaged("packed");
  return static_cast<std::size_t>(size);
}

Result<void> PartFile::unpack(std::string_view packed, std::size_t unit, char* to, std::size_t size) const {
  if (size == 0) return {};
  PodVector<char> columns;
  columns.resize_for_overwrite(size);
  if (ZSTD_decompress(columns.data(), size, packed.data(), packed.size()) != size) return damaged("packed");
  each_byte(size / unit, unit, [&](std::size_t row, std::size_t column) { to[row] = columns[column]; });
  return {};
}

}  // namespace leitong::spread
