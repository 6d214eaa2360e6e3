#include "arrow_file.hpp"

#include <arrow/buffer.h>
#include <arrow/ipc/message.h>

#include <cstring>
#include <optional>
#include <span>

#include "as_text.hpp"

namespace leitong {
namespace {

constexpr std::string_view kFileMagic = "ARROW1", kOldFeather = "FEA1";

/// The fields of a FlatBuffers table. Arrow has verified the message.
class FlatTable {
 public:
  FlatTable(const std::uint8_t* bytes, std::size_t at) : bytes_(bytes), at_(at) {}
  static FlatTable root(const std::uint8_t* bytes) { return {bytes, number<std::uint32_t>(bytes)}; }

  [[nodiscard]] std::optional<FlatTable> table(unsigned field) const {
    const std::size_t offset = offset_of(field);
    if (offset == 0) return std::nullopt;
    return FlatTable(bytes_, at_ + offset + number<std::uint32_t>(bytes_ + at_ + offset));
  }
  /// The elements of a vector, from the first one on; empty if there is no vector.
  [[nodiscard]] std::span<const std::uint8_t> vector(unsigned field) const {
    const std::size_t offset = offset_of(field);
    if (offset == 0) return {};
    const std::uint8_t* const begin = bytes_ + at_ + offset + number<std::uint32_t>(bytes_ + at_ + offset);
    return {begin + sizeof(std::uint32_t), number<std::uint32_t>(begin)};
  }
  [[nodiscard]] std::int8_t byte(unsigned field) const {
    const std::size_t offset = offset_of(field);
    return offset == 0 ? std::int8_t{0} : number<std::int8_t>(bytes_ + at_ + offset);
  }

 private:
  template <class T>
  static T number(const std::uint8_t* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  [[nodiscard]] std::size_t offset_of(unsigned field) const {
    const std::uint8_t* const vtable = bytes_ + at_ - number<std::int32_t>(bytes_ + at_);
    const std::size_t entry = 4 + 2 * std::size_t{field};
    return entry + 2 > number<std::uint16_t>(vtable) ? 0 : number<std::uint16_t>(vtable + entry);
  }

  const std::uint8_t* bytes_;
  std::size_t at_;
};

}  // namespace

arrow::Status ArrowFile::open(std::vector<int> columns) {
  auto options = arrow::ipc::IpcReadOptions::Defaults();
  options.memory_pool = pool_;
  options.use_threads = false;
  options.included_fields = std::move(columns);
  options.pre_buffer_cache_options.lazy = true;
  std::string magic(kFileMagic.size(), '\0');
  ARROW_ASSIGN_OR_RAISE(const std::int64_t got,
                        bytes_->ReadAt(0, static_cast<std::int64_t>(magic.size()), magic.data()));
  magic.resize(static_cast<std::size_t>(got));
  if (magic.starts_with(kOldFeather))
    return arrow::Status::NotImplemented(
        "Feather of version 1 is not read; write the file anew as version 2");
  ARROW_RETURN_NOT_OK(bytes_->Seek(0));
  if (magic == kFileMagic) {
    ARROW_ASSIGN_OR_RAISE(file_, arrow::ipc::RecordBatchFileReader::Open(bytes_, options));
    schema_ = file_->schema();
    ARROW_RETURN_NOT_OK(read_footer());
  } else {
    ARROW_ASSIGN_OR_RAISE(stream_, arrow::ipc::RecordBatchStreamReader::Open(bytes_, options));
    schema_ = stream_->schema();
  }
  batch_ = 0;
  return arrow::Status::OK();
}

arrow::Status ArrowFile::next(std::shared_ptr<arrow::RecordBatch>& batch) {
  batch.reset();
  if (file_ == nullptr) {
    ARROW_RETURN_NOT_OK(stream_->ReadNext(&batch));
  } else if (batch_ < file_->num_record_batches()) {
    ARROW_ASSIGN_OR_RAISE(batch, file_->ReadRecordBatch(batch_++));
  }
  if (batch == nullptr) return arrow::Status::OK();
  for (const auto& column : batch->columns()) {
    if (column->length() != batch->num_rows()) return arrow::Status::Invalid("columns of different lengths");
    ARROW_RETURN_NOT_OK(check_column(*column));
  }
  return arrow::Status::OK();
}

arrow::Status ArrowFile::read_footer() {
  // The footer's length and a magic number end the file. Footer, and Block with offset, metaDataLength and
  // bodyLength: Arrow's File.fbs.
  constexpr std::int64_t kEnd = 10;
  constexpr unsigned kBlocks = 3;
  constexpr std::size_t kBlockBytes = 24, kBodyLength = 16;
  ARROW_ASSIGN_OR_RAISE(const std::int64_t size, bytes_->GetSize());
  std::int32_t length = 0;
  ARROW_RETURN_NOT_OK(bytes_->ReadAt(size - kEnd, sizeof length, &length));
  ARROW_ASSIGN_OR_RAISE(const auto footer, bytes_->ReadAt(size - kEnd - length, length));
  const std::span<const std::uint8_t> blocks = FlatTable::root(footer->data()).vector(kBlocks);
  batches_.resize(blocks.size());
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    std::memcpy(&batches_[i].offset, blocks.data() + i * kBlockBytes, sizeof(std::int64_t));
    std::memcpy(&batches_[i].bytes, blocks.data() + i * kBlockBytes + kBodyLength, sizeof(std::int64_t));
  }
  return arrow::Status::OK();
}

arrow::Result<arrow::Compression::type> ArrowFile::compression() const {
  std::int64_t begin = 0;
  if (!is_stream()) {
    if (batches_.empty()) return arrow::Compression::UNCOMPRESSED;
    begin = batches_.front().offset;
  }
  ARROW_RETURN_NOT_OK(bytes_->Seek(begin));
  const auto messages = arrow::ipc::MessageReader::Open(bytes_.get());
  for (;;) {
    ARROW_ASSIGN_OR_RAISE(const auto message, messages->ReadNextMessage());
    if (message == nullptr) return arrow::Compression::UNCOMPRESSED;
    if (message->type() != arrow::ipc::MessageType::RECORD_BATCH) continue;
    // Message.header (a RecordBatch), its field compression, and the codec of that: Arrow's Message.fbs.
    const auto batch = FlatTable::root(message->metadata()->data()).table(2);
    const auto compression = batch ? batch->table(3) : std::nullopt;
    if (!compression) return arrow::Compression::UNCOMPRESSED;
    return compression->byte(0) == 0 ? arrow::Compression::LZ4_FRAME : arrow::Compression::ZSTD;
  }
}

double ArrowFile::share() const {
  if (file_ != nullptr)
    return file_->num_record_batches() == 0 ? 1 : double(batch_) / double(file_->num_record_batches());
  const std::int64_t size = bytes_->GetSize().ValueOr(0);
  return size == 0 ? 1 : double(bytes_->Tell().ValueOr(0)) / double(size);
}

}  // namespace leitong
