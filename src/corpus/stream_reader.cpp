#include "corpus/stream_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

namespace leitong {
namespace {

// What a core's own cache holds while it is read, split and parsed, and enough to make a task worth starting.
constexpr std::size_t kBatchBytes = std::size_t{256} << 10;
// Up to this a batch grows until it holds a record.
constexpr std::size_t kLargestBatch = std::size_t{4} << 20;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;  // of a larger record
constexpr std::size_t kPeekedBytes = std::size_t{64} << 10;

std::uint64_t count_lines(std::string_view bytes) {
  return static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
}

}  // namespace

std::string_view without_line_end(std::string_view record) noexcept {
  if (record.ends_with('\n')) record.remove_suffix(1);
  if (record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

std::string too_large_message(std::uint64_t bytes, std::uint64_t limit) {
  return fmt::format("record of {} bytes is larger than the limit of {} (--max-record)", bytes, limit);
}

StreamReader::StreamReader(std::unique_ptr<ByteStream> bytes, Access access, std::uint64_t max_record_bytes)
    : bytes_(std::move(bytes)), access_(std::move(access)), max_record_bytes_(max_record_bytes) {}

Result<std::size_t> StreamReader::read_some(char* out, std::size_t size) {
  std::size_t done = 0;
  while (done < size && !ended_) {
    const Result<std::size_t> got = bytes_->read(out + done, size - done);
    if (!got) fault_ = got.error().message;
    ended_ = !got || *got == 0;
    done += got.value_or(0);
  }
  if (access_.keep && done > 0) LEITONG_TRY(access_.keep({out, done}));
  return done;
}

Result<std::string_view> StreamReader::peek() {
  carry_.resize(kPeekedBytes);
  LEITONG_ASSIGN(const std::size_t got, read_some(carry_.data(), carry_.size()));
  carry_.resize(got);
  return carry_;
}

void StreamReader::skip(std::size_t size) {
  carry_.erase(0, size);
  offset_ += size;
}

Result<bool> StreamReader::next(Batch& batch) {
  batch.offset = offset_;
  batch.data.resize(std::max(kBatchBytes, carry_.size()));
  std::memcpy(batch.data.data(), carry_.data(), carry_.size());
  std::size_t filled = carry_.size(), whole = 0;
  bool cut_off = false;
  for (;; batch.data.grow(std::min(4 * filled, kLargestBatch))) {
    LEITONG_ASSIGN(const std::size_t added,
                   read_some(batch.data.data() + filled, batch.data.capacity() - filled));
    filled += added;
    batch.data.shrink(filled);
    cut_off = ended_ && !fault_.empty();
    if (filled == 0 && !cut_off) return false;
    whole = scanner_->whole_records(batch.data.view(), ended_ && !cut_off, batch.ends);
    if (whole > 0 || ended_ || filled >= kLargestBatch) break;
  }
  const std::string_view bytes = batch.data.view();
  if (whole == 0 && !ended_) {
    LEITONG_TRY(giant_record(bytes, batch));
    return true;
  }
  if (cut_off) {
    batch.fault = whole == bytes.size() ? fmt::format("{}; what follows is lost", fault_)
                                        : fmt::format("{}; the record is cut off", fault_);
    batch.fault_lines = count_lines(bytes.substr(whole)) + 1;
    fault_.clear();
    carry_.clear();
  } else {
    carry_.assign(bytes.substr(whole));
  }
  offset_ += whole;
  batch.data.shrink(whole);
  return true;
}

Result<void> StreamReader::giant_record(std::string_view begun, Batch& batch) {
  scanner_->begin_record();
  scanner_->record_end(begun);
  carry_.clear();
  std::uint64_t length = begun.size();
  std::uint64_t lines = count_lines(begun);
  std::string piece;
  bool complete = false;
  while (!complete && !ended_) {
    piece.resize(kPieceBytes);
    LEITONG_ASSIGN(const std::size_t got, read_some(piece.data(), piece.size()));
    piece.resize(got);
    const std::size_t end = scanner_->record_end(piece);
    complete = end != RecordScanner::npos;
    const std::size_t taken = std::min(end, piece.size());
    length += taken;
    lines += count_lines(std::string_view(piece).substr(0, taken));
    carry_.assign(piece, taken);
  }
  const bool cut_off = !complete && !fault_.empty();
  offset_ += length;
  if (cut_off || length > max_record_bytes_ + 2) {  // 2: the line end doesn't count
    batch.fault = cut_off ? fmt::format("{}; the record is cut off", std::exchange(fault_, {}))
                          : too_large_message(length, max_record_bytes_);
    batch.fault_lines = std::max<std::uint64_t>(lines, 1);
    batch.data.shrink(0);
    return {};
  }
  batch.data.resize(static_cast<std::size_t>(length));
  batch.ends.assign(1, static_cast<std::uint32_t>(length));
  return access_.again(batch.offset, batch.data.data(), batch.data.size());
}

}  // namespace leitong
