// Bytes that come one after another: the content of a file, or what a decoder makes of it.
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
  /// Up to `size` bytes; 0 only at the end. Bytes before a fault are handed out first, then every call
  /// reports the fault.
  virtual Result<std::size_t> read(char* out, std::size_t size) = 0;
};

/// A file's bytes as they are stored, behind a buffer that can be looked at. Counts what is read into
/// `counter`.
class StoredBytes final : public ByteStream {
 public:
  StoredBytes(ReadFile file, std::atomic<std::uint64_t>* counter)
      : file_(std::move(file)), counter_(counter) {}
  /// The first bytes, which stay to be read: those that tell compressed data, or a line. Only before the
  /// first read().
  Result<std::string_view> peek();
  Result<std::size_t> read(char* out, std::size_t size) override;
  [[nodiscard]] const ReadFile& file() const noexcept { return file_; }

 private:
  ReadFile file_;
  std::atomic<std::uint64_t>* counter_;
  std::string ahead_;
  std::size_t taken_ = 0;  // of ahead_
};

/// Memory that a decoder may take for what compressed data refers back to: 128 MiB, which all levels but
/// zstd's `--long=28` and more, and xz with a larger dictionary, stay below.
inline constexpr std::uint64_t kUsualWindow = std::uint64_t{128} << 20;

/// What `stored` holds, uncompressed. Reads all members of a file of several (gzip, bzip2, xz and zstd
/// frames). Truncated or broken data is ErrorCode::corrupt, with what is wrong but no path in the message;
/// data that needs a larger window than `max_window` bytes (at most 2 GiB) is ErrorCode::limit.
std::unique_ptr<ByteStream> make_decoder(Compression compression, std::unique_ptr<ByteStream> stored,
                                         std::uint64_t max_window = kUsualWindow);

/// A file or "-", uncompressed where its content is compressed.
Result<std::unique_ptr<ByteStream>> open_decoded(const std::string& path, StopToken stop = {});

/// All that is left of a stream, at most `most` bytes: ErrorCode::limit. Errors name `path`.
Result<std::string> read_all(ByteStream& stream, const std::string& path, std::size_t most = SIZE_MAX);

}  // namespace leitong
