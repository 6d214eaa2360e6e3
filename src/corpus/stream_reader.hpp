// Cuts the bytes of one source into batches of whole records.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "corpus/batch.hpp"
#include "io/byte_stream.hpp"
#include "corpus/record_scanner.hpp"

namespace leitong {

/// Holds about 4 MiB whatever the source is: a record that is longer is measured first and read a second time
/// if it is allowed.
class StreamReader {
 public:
  struct Access {
    /// Called with all bytes in order, if set (the spool's writer).
    std::function<Result<void>(std::string_view)> keep;
    /// Reads bytes again that have gone by.
    std::function<Result<void>(std::uint64_t offset, char* out, std::size_t size)> again;
  };

  StreamReader(std::unique_ptr<ByteStream> bytes, Access access, std::uint64_t max_record_bytes);

  /// The first bytes, at least 64 KiB unless the source is shorter; they stay to be read. Before skip() and
  /// next().
  Result<std::string_view> peek();
  /// Leaves out the first `size` bytes of what peek() gave: a byte order mark or a header.
  void skip(std::size_t size);
  void set_scanner(std::unique_ptr<RecordScanner> scanner) { scanner_ = std::move(scanner); }

  /// Fills a batch; false at the end. A fault of the bytes (a truncated archive) ends the source with one
  /// rejected record. Errors are those of `access` only. REQUIRES set_scanner().
  Result<bool> next(Batch& batch);

 private:
  Result<std::size_t> read_some(char* out, std::size_t size);
  Result<void> giant_record(std::string_view begun, Batch& batch);

  std::unique_ptr<ByteStream> bytes_;
  Access access_;
  std::uint64_t max_record_bytes_;
  std::unique_ptr<RecordScanner> scanner_;
  std::string carry_;         // bytes read that belong to the next batch
  std::uint64_t offset_ = 0;  // of carry_ in the source
  bool ended_ = false;
  std::string fault_;  // what ended the source too early
};

/// A record without its line end ("\n" or "\r\n").
[[nodiscard]] std::string_view without_line_end(std::string_view record) noexcept;

/// "record of 12 bytes is larger than the limit of 10 (--max-record)".
[[nodiscard]] std::string too_large_message(std::uint64_t bytes, std::uint64_t limit);

}  // namespace leitong
