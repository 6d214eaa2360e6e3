#include "corpus/stream_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/try.hpp"
#include "corpus/byte_format.hpp"

namespace leitong {
namespace {

// As much as a core's own cache holds while it is read, split and parsed, and enough for a task.
constexpr std::size_t kStreamBatchBytes = std::size_t{256} << 10;
// A batch grows up to this size until it holds a record.
constexpr std::size_t kLargestBatch = std::size_t{4} << 20;
constexpr std::size_t kStreamPieceBytes = std::size_t{1} << 20;  // of a larger record

}  // namespace

std::string_view without_line_end(std::string_view record) noexcept {
  if (record.ends_with('\n')) record.remove_suffix(1);
  if (record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

std::string too_large_message(std::uint64_t bytes, std::uint64_t limit) {
  return fmt::format("record of {} bytes is larger than the record limit of {}", bytes, limit);
}

StreamReader::StreamReader(const InputAccess& access, OpenedSource source,
                           std::unique_ptr<RecordScanner> scanner)
    : access_(access), source_(std::move(source)), scanner_(std::move(scanner)) {
  if (source_.spooled) access_.store.begin_spooled(source_.number);
}

Result<std::size_t> StreamReader::read_some(char* out, std::size_t size) {
  std::size_t done = 0;
  while (done < size && !(source_.bytes->as_it_comes() && done > 0) && !ended_) {
    const Result<std::size_t> got = source_.bytes->read(out + done, size - done);
    if (!got) {
      const std::string_view path = access_.sources.path(source_.number);
      if (ends_run(got.error(), access_.sources[source_.number])) return error_at(path, got.error());
      fault_ = without_path(got.error().message, path);
      fault_is_damage_ = got.error().code == ErrorCode::corrupt;
    }
    ended_ = !got || *got == 0;
    done += got.value_or(0);
  }
  if (source_.spooled && done > 0) LEITONG_TRY(access_.store.spool().append({out, done}));
  return done;
}

Result<void> StreamReader::skip(std::size_t size) {
  std::string skipped(size, '\0');
  std::size_t done = 0;
  while (done < size && !ended_) {
    LEITONG_ASSIGN(const std::size_t got, read_some(skipped.data() + done, size - done));
    done += got;
  }
  skipped.resize(done);
  offset_ += done;
  skipped_lines_ = count_lines(skipped);
  return {};
}

void StreamReader::cut_off(ByteBatch& batch, std::string_view what_was_lost, std::uint64_t lines) {
  batch.fault = fmt::format("{}; {}", std::exchange(fault_, {}), what_was_lost);
  batch.fault_lines = lines;
  batch.fault_cuts_short = fault_is_damage_;
}

Result<std::unique_ptr<Batch>> StreamReader::next() {
  auto made = std::make_unique<ByteBatch>();
  ByteBatch& batch = *made;
  batch.position = offset_;
  batch.skipped_lines = std::exchange(skipped_lines_, 0);
  batch.data.resize(std::max(kStreamBatchBytes, carry_.size()));
  std::memcpy(batch.data.data(), carry_.data(), carry_.size());
  std::size_t filled = carry_.size(), whole = 0;
  bool faulty = false;
  for (;; batch.data.grow(std::min(4 * filled, kLargestBatch))) {
    LEITONG_ASSIGN(const std::size_t added,
                   read_some(batch.data.data() + filled, batch.data.capacity() - filled));
    filled += added;
    batch.data.shrink(filled);
    faulty = ended_ && !fault_.empty();
    if (filled == 0 && !faulty) return nullptr;
    batch.ends.clear();
    whole = scanner_->whole_records(batch.data.view(), ended_ && !faulty, batch.ends);
    if (whole > 0 || ended_ || filled >= kLargestBatch) break;
  }
  const std::string_view bytes = batch.data.view();
  if (whole == 0 && !ended_) {
    LEITONG_TRY(giant_record(bytes, batch));
    return made;
  }
  if (faulty) {
    cut_off(batch, whole == bytes.size() ? "what follows is lost" : "the record is cut off",
            count_lines(bytes.substr(whole)) + 1);
    carry_.clear();
  } else {
    carry_.assign(bytes.substr(whole));
  }
  offset_ += whole;
  batch.data.shrink(whole);
  return made;
}

Result<void> StreamReader::giant_record(std::string_view begun, ByteBatch& batch) {
  scanner_->begin_record();
  scanner_->record_end(begun);
  carry_.clear();
  std::uint64_t length = begun.size();
  std::uint64_t lines = count_lines(begun);
  std::string piece;
  bool complete = false;
  while (!complete && !ended_) {
    piece.resize(kStreamPieceBytes);
    LEITONG_ASSIGN(const std::size_t got, read_some(piece.data(), piece.size()));
    piece.resize(got);
    const std::size_t end = scanner_->record_end(piece);
    complete = end != RecordScanner::npos;
    const std::size_t taken = std::min(end, piece.size());
    length += taken;
    lines += count_lines(std::string_view(piece).substr(0, taken));
    carry_.assign(piece, taken);
  }
  const bool faulty = !complete && !fault_.empty();
  offset_ += length;
  if (faulty || length > access_.max_record_bytes + 2) {  // 2: the line end does not count
    lines = std::max<std::uint64_t>(lines, 1);
    if (faulty) {
      cut_off(batch, "the record is cut off", lines);
    } else {
      batch.fault = too_large_message(length, access_.max_record_bytes);
      batch.fault_lines = lines;
    }
    batch.data.shrink(0);
    return {};
  }
  batch.data.resize(static_cast<std::size_t>(length));
  batch.ends.assign(1, static_cast<std::uint32_t>(length));
  StoreCursor cursor;
  return access_.store.read(source_.number, batch.position, batch.data.data(), batch.data.size(), cursor);
}

}  // namespace leitong
