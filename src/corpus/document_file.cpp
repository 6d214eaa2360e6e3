#include "corpus/document_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "io/byte_stream.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kFirstGuess = std::uint64_t{64} << 10;

}  // namespace

std::string load_document_file(const std::string& path, std::uint64_t max_bytes, StopToken stop,
                               std::atomic<std::uint64_t>* counter, PaddedBytes& out, FileStamp& stamp) {
  auto file = ReadFile::open(path, stop);
  if (!file) return file.error().message;
  stamp = file->stamp();
  auto stored = std::make_unique<StoredBytes>(std::move(*file), counter);
  const auto first = stored->peek();
  if (!first) return first.error().message;
  const Compression compression = compression_of_content(*first, path);
  const auto bytes = make_decoder(compression, std::move(stored));

  // One byte more than expected, so that the end shows without another buffer.
  const std::uint64_t expected = compression == Compression::none ? stamp.size : 4 * stamp.size;
  out.resize(static_cast<std::size_t>(std::min(std::max(expected, kFirstGuess), max_bytes) + 1));
  std::size_t size = 0;
  while (true) {
    const auto got = bytes->read(out.data() + size, out.size() - size);
    if (!got) return got.error().message;
    if (*got == 0) break;
    size += *got;
    if (size > max_bytes)
      return fmt::format("the file holds more than the limit of {} bytes for a record (--max-record)",
                         max_bytes);
    if (size == out.size())
      out.grow(static_cast<std::size_t>(std::min<std::uint64_t>(2 * size, max_bytes + 1)));
  }
  out.shrink(size);
  return {};
}

}  // namespace leitong
