#include "corpus/document_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "base/try.hpp"
#include "corpus/formats/formats.hpp"
#include "io/byte_stream.hpp"
#include "leitong/document.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kFirstGuess = std::uint64_t{64} << 10;

}  // namespace

Result<std::string> load_document_file(const std::string& path, std::uint64_t max_bytes,
                                       std::uint64_t max_window, StopToken stop,
                                       std::atomic<std::uint64_t>* counter, PaddedBytes& out,
                                       FileStamp& stamp) {
  LEITONG_ASSIGN(ReadFile file, ReadFile::open(path, stop));
  stamp = file.stamp();
  auto stored = std::make_unique<StoredBytes>(std::move(file), counter);
  LEITONG_ASSIGN(const std::string_view first, stored->peek());
  const Compression compression = compression_of_content(first, path);
  const auto bytes = make_decoder(compression, std::move(stored), max_window);

  // One byte more than expected, so that the end is noticed without another buffer.
  const std::uint64_t expected = compression == Compression::none ? stamp.size : 4 * stamp.size;
  out.resize(static_cast<std::size_t>(std::min(std::max(expected, kFirstGuess), max_bytes) + 1));
  std::size_t size = 0;
  while (true) {
    const auto got = bytes->read(out.data() + size, out.size() - size);
    // The file needs more memory than it may have; it is treated like one that is too large.
    if (!got && got.error().code == ErrorCode::limit) return got.error().message;
    LEITONG_TRY(got);
    if (*got == 0) break;
    size += *got;
    if (size > max_bytes)
      return fmt::format("the file is larger than the record limit of {} bytes", max_bytes);
    if (size == out.size())
      out.grow(static_cast<std::size_t>(std::min<std::uint64_t>(2 * size, max_bytes + 1)));
  }
  out.shrink(size);
  return std::string();
}

Result<std::string> read_text_file(const std::string& path, HtmlPart part, const std::string& encoding,
                                   std::size_t most, StopToken stop) {
  LEITONG_ASSIGN(const std::unique_ptr<ByteStream> file, open_decoded(path, stop));
  LEITONG_ASSIGN(const std::string bytes, read_all(*file, path, most));
  const RecordFormat* const by_ending = standard_formats().by_ending(path);
  DocumentHints hints{.encoding = encoding, .part = part, .most = most};
  if (by_ending == &html_format()) hints.form = DocumentForm::html;
  if (by_ending == &text_format()) hints.form = DocumentForm::text;
  Result<PlainDocument> read = read_document(bytes, hints);
  if (!read) return fail(read.error().code, fmt::format("{}: {}", path, read.error().message));
  return std::move(read->text);
}

}  // namespace leitong
