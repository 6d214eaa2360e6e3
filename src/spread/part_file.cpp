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

Result<void> append_packed(std::string_view bytes, std::size_t unit, std::vector<char>& packed) {
  if (bytes.empty()) return {};
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> zstd(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(zstd.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setPledgedSrcSize(zstd.get(), bytes.size());
  std::vector<char> columns(kBlockRows * unit), made(ZSTD_CStreamOutSize());
  while (!bytes.empty()) {
    const std::string_view block = bytes.substr(0, columns.size());
    bytes.remove_prefix(block.size());
    each_byte(block.size() / unit, unit,
              [&](std::size_t row, std::size_t column) { columns[column] = block[row]; });
    ZSTD_inBuffer in{columns.data(), block.size(), 0};
    for (std::size_t left = 1; left > 0 && (in.pos < in.size || bytes.empty());) {
      ZSTD_outBuffer out{made.data(), made.size(), 0};
      left = ZSTD_compressStream2(zstd.get(), &out, &in, bytes.empty() ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0)
        return fail(ErrorCode::limit, fmt::format("zstd can't compress: {}", ZSTD_getErrorName(left)));
      packed.insert(packed.end(), made.begin(), made.begin() + static_cast<std::ptrdiff_t>(out.pos));
    }
  }
  return {};
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

Result<PartFile::Frame> PartFile::take_frame(std::string_view& packed, std::size_t unit) const {
  const std::size_t length = ZSTD_findFrameCompressedSize(packed.data(), packed.size());
  if (ZSTD_isError(length) != 0) return damaged("packed");
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size % unit != 0)
    return damaged("packed");
  const Frame frame{packed.substr(0, length), static_cast<std::size_t>(size)};
  packed.remove_prefix(length);
  return frame;
}

Result<void> PartFile::unpack(const Frame& frame, std::size_t unit, char* to) const {
  PodVector<char> columns;
  columns.resize_for_overwrite(frame.size);
  if (ZSTD_decompress(columns.data(), frame.size, frame.packed.data(), frame.packed.size()) != frame.size)
    return damaged("packed");
  each_byte(frame.size / unit, unit, [&](std::size_t row, std::size_t column) { to[row] = columns[column]; });
  return {};
}

}  // namespace leitong::spread
