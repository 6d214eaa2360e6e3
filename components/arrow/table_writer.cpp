// Writes new tables: rows that are collected in batches.
#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/writer.h>

#include <utility>

#include "arrow_io.hpp"
#include "base/try.hpp"
#include "component.hpp"

namespace leitong {
namespace {

// A batch is written when it reaches either of these sizes.
constexpr std::int64_t kBatchRows = std::int64_t{1} << 16;
constexpr std::size_t kWrittenBatchBytes = std::size_t{8} << 20;
constexpr std::int64_t kGroupRows = std::int64_t{1} << 18;

std::shared_ptr<arrow::DataType> type_of(TableColumn::Type type) {
  switch (type) {
    case TableColumn::Type::integer:
      return arrow::int64();
    case TableColumn::Type::number:
      return arrow::float64();
    case TableColumn::Type::text:
      break;
  }
  return arrow::utf8();
}

class Writer final : public TableWriter {
 public:
  explicit Writer(ByteSink sink) : sink_(std::make_shared<ArrowSink>(std::move(sink))) {}

  Result<void> open(TableForm form, const std::vector<TableColumn>& columns) {
    return guarded(sink_.get(), [&]() -> arrow::Status {
      arrow::FieldVector fields;
      for (const TableColumn& column : columns) {
        fields.push_back(arrow::field(column.name, type_of(column.type)));
        std::unique_ptr<arrow::ArrayBuilder> builder;
        ARROW_RETURN_NOT_OK(
            arrow::MakeBuilder(arrow::default_memory_pool(), fields.back()->type(), &builder));
        builders_.push_back(std::move(builder));
      }
      schema_ = arrow::schema(std::move(fields));
      if (form == TableForm::parquet) {
        const auto properties = parquet::WriterProperties::Builder()
                                    .compression(arrow::Compression::ZSTD)
                                    ->max_row_group_length(kGroupRows)
                                    ->build();
        ARROW_ASSIGN_OR_RAISE(parquet_, parquet::arrow::FileWriter::Open(
                                            *schema_, arrow::default_memory_pool(), sink_, properties));
        return arrow::Status::OK();
      }
      auto options = arrow::ipc::IpcWriteOptions::Defaults();
      options.use_threads = false;
      ARROW_ASSIGN_OR_RAISE(options.codec, arrow::util::Codec::Create(arrow::Compression::ZSTD));
      ARROW_ASSIGN_OR_RAISE(arrow_, form == TableForm::arrow_file
                                        ? arrow::ipc::MakeFileWriter(sink_, schema_, options)
                                        : arrow::ipc::MakeStreamWriter(sink_, schema_, options));
      return arrow::Status::OK();
    });
  }

  void text(std::string_view value) override {
    bytes_ += value.size();
    note(static_cast<arrow::StringBuilder&>(next()).Append(value));
  }
  void integer(std::int64_t value) override { note(static_cast<arrow::Int64Builder&>(next()).Append(value)); }
  void number(double value) override { note(static_cast<arrow::DoubleBuilder&>(next()).Append(value)); }
  void null() override { note(next().AppendNull()); }

  Result<void> end_row() override {
    column_ = 0;
    ++rows_;
    if (!status_.ok()) return tl::unexpected<Error>(to_error(status_));
    return rows_ == kBatchRows || bytes_ >= kWrittenBatchBytes ? write() : Result<void>{};
  }

  Result<void> finish() override {
    LEITONG_TRY(write());
    return guarded(sink_.get(), [&] { return parquet_ != nullptr ? parquet_->Close() : arrow_->Close(); });
  }

 private:
  arrow::ArrayBuilder& next() { return *builders_[column_++]; }
  void note(arrow::Status status) {
    if (status_.ok() && !status.ok()) status_ = std::move(status);
  }

  Result<void> write() {
    if (rows_ == 0) return {};
    return guarded(sink_.get(), [&]() -> arrow::Status {
      arrow::ArrayVector arrays;
      for (const auto& builder : builders_) {
        ARROW_ASSIGN_OR_RAISE(auto array, builder->Finish());
        arrays.push_back(std::move(array));
      }
      const auto batch = arrow::RecordBatch::Make(schema_, std::exchange(rows_, 0), std::move(arrays));
      bytes_ = 0;
      return parquet_ != nullptr ? parquet_->WriteRecordBatch(*batch) : arrow_->WriteRecordBatch(*batch);
    });
  }

  std::shared_ptr<ArrowSink> sink_;
  std::shared_ptr<arrow::Schema> schema_;
  std::vector<std::unique_ptr<arrow::ArrayBuilder>> builders_;
  std::unique_ptr<parquet::arrow::FileWriter> parquet_;
  std::shared_ptr<arrow::ipc::RecordBatchWriter> arrow_;
  std::size_t column_ = 0;
  std::int64_t rows_ = 0;  // rows in the builders
  std::size_t bytes_ = 0;  // bytes of their texts
  arrow::Status status_;
};

}  // namespace

Result<std::unique_ptr<TableWriter>> new_table_writer(TableForm form, std::vector<TableColumn> columns,
                                                      ByteSink sink) {
  auto writer = std::make_unique<Writer>(std::move(sink));
  LEITONG_TRY(writer->open(form, columns));
  return writer;
}

}  // namespace leitong
