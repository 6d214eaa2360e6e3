// Streams of bytes: the content of a file, or the output of a decoder.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/compression.hpp"
#include "io/read_file.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A sequential reader. Single-threaded.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Reads up to `size` bytes; 0 only at the end. Bytes before a fault are returned first, then every call
  /// reports the fault.
  virtual Result<std::size_t> read(char* out, std::size_t size) = 0;
};

/// The stored bytes of a file, with a buffer for peek(). Adds the number of bytes to `counter`.
class StoredBytes final : public ByteStream {
 public:
  StoredBytes(ReadFile file, std::atomic<std::uint64_t>* counter)
      : file_(std::move(file)), counter_(counter) {}
  /// The first bytes, enough to recognise compressed data or a line; read() returns them again. Call it
  /// before the first read().
  Result<std::string_view> peek();
  Result<std::size_t> read(char* out, std::size_t size) override;
  [[nodiscard]] const ReadFile& file() const noexcept { return file_; }

 private:
  ReadFile file_;
  std::atomic<std::uint64_t>* counter_;
  std::string ahead_;
  std::size_t taken_ = 0;  // of ahead_
};

/// The window that a decoder may need: 128 MiB is enough for all levels except zstd's `--long=28` and above,
/// and xz with a larger dictionary.
inline constexpr std::uint64_t kUsualWindow = std::uint64_t{128} << 20;

/// The uncompressed content of `stored`. Reads all members of a file (gzip, bzip2, xz and zstd frames). Fails
/// with corrupt for truncated or broken data (the message has no path), and with limit for data that need a
/// larger window than `max_window` bytes (at most 2 GiB).
std::unique_ptr<ByteStream> make_decoder(Compression compression, std::unique_ptr<ByteStream> stored,
                                         std::uint64_t max_window = kUsualWindow);

/// A file or "-", uncompressed if its content is compressed.
Result<std::unique_ptr<ByteStream>> open_decoded(const std::string& path, StopToken stop = {});

/// The rest of a stream. Fails with limit beyond `most` bytes. Errors name `path`.
Result<std::string> read_all(ByteStream& stream, const std::string& path, std::size_t most = SIZE_MAX);

}  // namespace leitong
