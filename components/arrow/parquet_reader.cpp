// Reads some columns of a Parquet file, page by page.
#include <arrow/record_batch.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/column_page.h>
#include <parquet/column_reader.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "arrow_io.hpp"
#include "as_text.hpp"
#include "base/try.hpp"
#include "component.hpp"
#include "parquet_fields.hpp"

namespace leitong {
namespace {

// The mean bytes of a batch in the chosen columns, and the least and most rows of a batch.
constexpr std::int64_t kBatchBytes = std::int64_t{1} << 20;
constexpr std::int64_t kFewestRows = 16, kMostRows = std::int64_t{1} << 16;
// The most bytes to which dictionary values may grow in a batch.
constexpr std::int64_t kRepeatedBytes = std::int64_t{32} << 20;

class ParquetReader final : public TableReader {
 public:
  ParquetReader(std::unique_ptr<TableBytes> bytes, std::uint64_t memory)
      : memory_(memory), bytes_(std::make_shared<ArrowBytes>(std::move(bytes), memory_.pool())) {}

  Result<void> open() {
    return guarded(bytes_.get(), [&]() -> arrow::Status {
      parquet::ArrowReaderProperties properties(false);
      properties.set_pre_buffer(false);
      ARROW_ASSIGN_OR_RAISE(
          reader_,
          parquet::arrow::FileReader::Make(
              memory_.pool(), parquet::ParquetFileReader::Open(bytes_, parquet_properties(memory_.pool())),
              properties));
      metadata_ = reader_->parquet_reader()->metadata();
      if (!metadata_->can_decompress())
        return arrow::Status::NotImplemented("a column is compressed in a way that is not read (LZO)");
      std::shared_ptr<arrow::Schema> schema;
      ARROW_RETURN_NOT_OK(reader_->GetSchema(&schema));
      list_fields(*schema, fields_, paths_);
      for (std::size_t i = 0; i < fields_.size(); ++i) {
        leaves_.emplace_back();
        list_leaves(field_at(reader_->manifest(), paths_[i]), leaves_.back());
        if (fields_[i].kind != TableField::Kind::text) continue;
        for (int group = 0; group < metadata_->num_row_groups(); ++group)
          for (const int leaf : leaves_.back())
            fields_[i].bytes += static_cast<std::uint64_t>(
                metadata_->RowGroup(group)->ColumnChunk(leaf)->total_uncompressed_size());
      }
      schema_ = metadata_->schema()->ToString();
      return arrow::Status::OK();
    });
  }

  [[nodiscard]] const std::vector<TableField>& fields() const override { return fields_; }
  [[nodiscard]] const std::string& schema() const override { return schema_; }

  Result<void> choose(const std::vector<std::size_t>& fields) override {
    for (const std::size_t field : fields) {
      chosen_.push_back(field);
      columns_.insert(columns_.end(), leaves_[field].begin(), leaves_[field].end());
    }
    std::sort(columns_.begin(), columns_.end());
    columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
    texts_.resize(chosen_.size());
    return {};
  }

  Result<bool> next(TableRows& rows) override {
    rows.count = 0;
    const Result<void> read = guarded(bytes_.get(), [&] { return read_some(rows); });
    if (!read)
      return fail(read.error().code, "row group " + std::to_string(group_) + ": " + read.error().message);
    return rows.count > 0;
  }

 private:
  /// Is one of its columns read?
  [[nodiscard]] bool is_read(const parquet::arrow::SchemaField& field) const {
    std::vector<int> leaves;
    list_leaves(field, leaves);
    return std::ranges::any_of(
        leaves, [&](int leaf) { return std::binary_search(columns_.begin(), columns_.end(), leaf); });
  }
  arrow::Status read_some(TableRows& rows) {
    std::shared_ptr<arrow::RecordBatch> batch;
    while (batch == nullptr || batch->num_rows() == 0) {
      if (batches_ == nullptr) {
        if (group_ == metadata_->num_row_groups()) return arrow::Status::OK();
        ARROW_RETURN_NOT_OK(open_group());
      }
      ARROW_RETURN_NOT_OK(batches_->ReadNext(&batch));
      if (batch == nullptr) {
        batches_.reset();
        ++group_;
      }
    }
    rows.values.resize(chosen_.size());
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      ARROW_RETURN_NOT_OK(texts_[i].read(*batch, in_batch_[i], memory_.pool(), rows.values[i]));
    rows.count = static_cast<std::size_t>(batch->num_rows());
    done_ += batch->num_rows();
    rows.share = metadata_->num_rows() == 0
                     ? 1
                     : static_cast<double>(done_) / static_cast<double>(metadata_->num_rows());
    return arrow::Status::OK();
  }

  arrow::Status open_group() {
    const auto group = metadata_->RowGroup(group_);
    std::int64_t bytes = 0;
    for (const int column : columns_) bytes += group->ColumnChunk(column)->total_uncompressed_size();
    const std::int64_t per_row =
        std::max<std::int64_t>(1, bytes / std::max<std::int64_t>(1, group->num_rows()));
    std::int64_t rows = std::clamp(kBatchBytes / per_row, kFewestRows, kMostRows);
    for (const int column : columns_)
      rows = std::min(rows, std::max<std::int64_t>(1, kRepeatedBytes / longest_repeated(column)));
    reader_->set_batch_size(rows);
    ARROW_ASSIGN_OR_RAISE(batches_, reader_->GetRecordBatchReader({group_}, columns_));
    if (in_batch_.empty()) place_fields();
    return arrow::Status::OK();
  }

  /// The bytes of the longest value in a column's dictionary, at least 1. Any number of rows may repeat such
  /// a value, although the file has it once.
  [[nodiscard]] std::int64_t longest_repeated(int column) const {
    const auto chunk = metadata_->RowGroup(group_)->ColumnChunk(column);
    const auto is_dictionary = [](parquet::Encoding::type encoding) {
      return encoding == parquet::Encoding::PLAIN_DICTIONARY || encoding == parquet::Encoding::RLE_DICTIONARY;
    };
    if (chunk->type() != parquet::Type::BYTE_ARRAY || std::ranges::none_of(chunk->encodings(), is_dictionary))
      return 1;
    const auto page = reader_->parquet_reader()->RowGroup(group_)->GetColumnPageReader(column)->NextPage();
    if (page == nullptr || page->type() != parquet::PageType::DICTIONARY_PAGE) return 1;
    std::int64_t longest = 1;
    for (std::int64_t at = 0, size = page->size(); at + 4 <= size;) {
      std::uint32_t length = 0;  // precedes each value, the lowest byte first
      std::memcpy(&length, page->data() + at, sizeof length);
      longest = std::max<std::int64_t>(longest, length);
      at += 4 + static_cast<std::int64_t>(length);
    }
    return longest;
  }

  /// Finds the chosen fields in a batch of only the chosen columns: fields of which nothing is read are not
  /// there.
  void place_fields() {
    for (const std::size_t field : chosen_) {
      FieldPath path;
      const std::vector<parquet::arrow::SchemaField>* siblings = &reader_->manifest().schema_fields;
      for (const int child : paths_[field]) {
        const auto number = static_cast<std::size_t>(std::max(child, 0));
        const auto before =
            std::count_if(siblings->begin(), siblings->begin() + static_cast<std::ptrdiff_t>(number),
                          [&](const auto& sibling) { return is_read(sibling); });
        path.push_back(child == kEachElement ? child : static_cast<int>(before));
        siblings = &(*siblings)[number].children;
      }
      in_batch_.push_back(std::move(path));
    }
  }

  Memory memory_;
  std::shared_ptr<ArrowBytes> bytes_;
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::vector<TableField> fields_;
  std::vector<FieldPath> paths_;
  std::vector<std::vector<int>> leaves_;  // for each field, its columns in the file
  std::string schema_;

  std::vector<std::size_t> chosen_;
  std::vector<int> columns_;
  std::vector<FieldPath> in_batch_;
  std::vector<TextColumn> texts_;
  int group_ = 0;
  std::int64_t done_ = 0;
  std::unique_ptr<arrow::RecordBatchReader> batches_;
};

}  // namespace

parquet::ReaderProperties parquet_properties(arrow::MemoryPool* pool) {
  constexpr std::int64_t kBuffer = std::int64_t{256} << 10;
  parquet::ReaderProperties properties(pool);
  properties.enable_buffered_stream();
  properties.set_buffer_size(kBuffer);
  properties.set_page_checksum_verification(true);
  return properties;
}

Result<std::unique_ptr<TableReader>> open_parquet(std::unique_ptr<TableBytes> bytes, std::uint64_t memory) {
  auto reader = std::make_unique<ParquetReader>(std::move(bytes), memory);
  LEITONG_TRY(reader->open());
  return reader;
}

}  // namespace leitong
