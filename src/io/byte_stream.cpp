#include "io/byte_stream.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "base/try.hpp"

namespace leitong {
namespace {

constexpr std::size_t kPeekedBytes = std::size_t{64} << 10;
constexpr std::size_t kMagicBytes = 6;  // xz has the longest one

}  // namespace

Result<std::string_view> StoredBytes::peek() {
  // A program that writes a line into a pipe may wait for an answer; no compressed data begin with a line so
  // short.
  while (ahead_.size() < kMagicBytes && !ahead_.ends_with('\n')) {
    const std::size_t had = ahead_.size();
    ahead_.resize(kPeekedBytes);
    const auto got = file_.read(ahead_.data() + had, ahead_.size() - had);
    ahead_.resize(had + got.value_or(0));
    if (!got) return tl::unexpected<Error>(got.error());
    if (*got == 0) break;
  }
  return ahead_;
}

Result<std::size_t> StoredBytes::read(char* out, std::size_t size) {
  std::size_t done = std::min(size, ahead_.size() - taken_);
  std::memcpy(out, ahead_.data() + taken_, done);
  taken_ += done;
  if (done == 0) {
    LEITONG_ASSIGN(done, file_.read(out, size));
  }
  if (counter_ != nullptr) counter_->fetch_add(done, std::memory_order_relaxed);
  return done;
}

Result<std::unique_ptr<ByteStream>> open_decoded(const std::string& path, StopToken stop) {
  LEITONG_ASSIGN(ReadFile file, ReadFile::open(path, stop));
  auto stored = std::make_unique<StoredBytes>(std::move(file), nullptr);
  LEITONG_ASSIGN(const std::string_view beginning, stored->peek());
  const Compression compression = compression_of_content(beginning, path);
  return make_decoder(compression, std::move(stored));
}

Result<std::string> read_all(ByteStream& stream, const std::string& path, std::size_t most) {
  std::string bytes, chunk(kPeekedBytes, '\0');
  for (;;) {
    Result<std::size_t> size = stream.read(chunk.data(), chunk.size());
    if (!size)
      return fail(size.error().code, fmt::format("{}: {}", path, without_path(size.error().message, path)));
    LEITONG_ASSIGN(const std::size_t got, std::move(size));
    if (got == 0) return bytes;
    if (got > most - bytes.size())
      return fail(ErrorCode::limit,
                  fmt::format("{}: is longer than {} bytes, the most that is held", path, most));
    bytes.append(chunk, 0, got);
  }
}

}  // namespace leitong
