// Divides the bytes of one source into batches of whole records.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "corpus/record_format.hpp"
#include "corpus/record_scanner.hpp"

namespace leitong {

struct ByteBatch;

/// Holds about 4 MiB for any source: a longer record is measured first and read a second time if it is
/// allowed. Damaged data (a truncated archive) end the source with one rejected record.
class StreamReader final : public RecordStream {
 public:
  StreamReader(const InputAccess& access, OpenedSource source, std::unique_ptr<RecordScanner> scanner);

  /// Skips the first bytes: a byte order mark or a header. Call it before next().
  Result<void> skip(std::size_t size);
  Result<std::unique_ptr<Batch>> next() override;

 private:
  Result<std::size_t> read_some(char* out, std::size_t size);
  Result<void> giant_record(std::string_view begun, ByteBatch& batch);
  /// Moves what ended the source into the batch.
  void cut_off(ByteBatch& batch, std::string_view what_was_lost, std::uint64_t lines);

  const InputAccess& access_;
  OpenedSource source_;
  std::unique_ptr<RecordScanner> scanner_;
  std::string carry_;                // bytes that belong to the next batch
  std::uint64_t offset_ = 0;         // offset of carry_ in the source
  std::uint64_t skipped_lines_ = 0;  // before the next batch
  bool ended_ = false;
  std::string fault_;  // why the source ended early
  bool fault_is_damage_ = false;
};

/// A record without its line end ("\n" or "\r\n").
[[nodiscard]] std::string_view without_line_end(std::string_view record) noexcept;

/// "record of 12 bytes is larger than the limit of 10 (--max-record)".
[[nodiscard]] std::string too_large_message(std::uint64_t bytes, std::uint64_t limit);

}  // namespace leitong
