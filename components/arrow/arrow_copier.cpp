// Rows of Arrow IPC into one file or stream. Batches stay as they are cut, without the rows that leave; a
// batch that loses all rows is left out.
#include <arrow/array/builder_base.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/builder.h>
#include <arrow/compute/api_vector.h>
#include <arrow/compute/exec.h>
#include <arrow/datum.h>
#include <arrow/ipc/writer.h>
#include <arrow/util/compression.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "arrow_file.hpp"
#include "base/try.hpp"
#include "component.hpp"

namespace leitong {
namespace {

using Runs = std::vector<std::pair<std::int64_t, std::int64_t>>;  ///< first row, and how many

/// Does it hold views of bytes? Arrow's Take doesn't know them.
bool has_views(const arrow::DataType& type) {
  if (arrow::is_binary_view_like(type.id())) return true;
  for (const auto& field : type.fields())
    if (has_views(*field->type())) return true;
  return false;
}

arrow::Result<std::shared_ptr<arrow::Array>> chosen_rows(const std::shared_ptr<arrow::Array>& column,
                                                         const Runs& runs, std::int64_t count,
                                                         arrow::MemoryPool* pool) {
  if (has_views(*column->type())) {
    std::unique_ptr<arrow::ArrayBuilder> builder;
    ARROW_RETURN_NOT_OK(arrow::MakeBuilder(pool, column->type(), &builder));
    const arrow::ArraySpan rows(*column->data());
    for (const auto& [first, length] : runs)
      ARROW_RETURN_NOT_OK(builder->AppendArraySlice(rows, first, length));
    return builder->Finish();
  }
  arrow::Int64Builder rows(pool);
  ARROW_RETURN_NOT_OK(rows.Reserve(count));
  for (const auto& [first, length] : runs)
    for (std::int64_t row = first; row < first + length; ++row) rows.UnsafeAppend(row);
  ARROW_ASSIGN_OR_RAISE(const auto wanted, rows.Finish());
  arrow::compute::ExecContext context(pool);
  return arrow::compute::Take(*column, *wanted, arrow::compute::TakeOptions::NoBoundsCheck(), &context);
}

class ArrowCopier final : public TableCopier {
 public:
  ArrowCopier(ByteSink sink, std::uint64_t memory)
      : memory_(memory), sink_(std::make_shared<ArrowSink>(std::move(sink))) {}

  Result<void> begin(std::unique_ptr<TableBytes> bytes) override {
    LEITONG_TRY(write_batch());
    batch_.reset();
    first_ = 0;
    number_ = 0;
    file_ = std::make_unique<ArrowFile>(std::move(bytes), memory_.pool());
    return guarded(&file_->bytes(), [&]() -> arrow::Status {
      ARROW_RETURN_NOT_OK(file_->open());
      return writer_ == nullptr ? begin_output() : arrow::Status::OK();
    });
  }

  Result<void> keep(std::uint64_t first_row, std::uint64_t row_count) override {
    auto first = static_cast<std::int64_t>(first_row), count = static_cast<std::int64_t>(row_count);
    while (count > 0) {
      while (batch_ == nullptr || first >= first_ + batch_->num_rows()) LEITONG_TRY(read_batch());
      const std::int64_t part = std::min(count, first_ + batch_->num_rows() - first);
      runs_.emplace_back(first - first_, part);
      first += part;
      count -= part;
    }
    return {};
  }

  Result<void> finish() override {
    LEITONG_TRY(write_batch());
    return guarded(sink_.get(), [&] { return writer_->Close(); });
  }

 private:
  arrow::Status begin_output() {
    auto options = arrow::ipc::IpcWriteOptions::Defaults();
    options.memory_pool = memory_.pool();
    options.use_threads = false;
    options.emit_dictionary_deltas = true;
    ARROW_ASSIGN_OR_RAISE(const auto compression, file_->compression());
    if (compression != arrow::Compression::UNCOMPRESSED) {
      ARROW_ASSIGN_OR_RAISE(options.codec, arrow::util::Codec::Create(compression));
    }
    ARROW_RETURN_NOT_OK(file_->open());  // from the beginning again
    if (file_->is_stream()) {
      ARROW_ASSIGN_OR_RAISE(writer_, arrow::ipc::MakeStreamWriter(sink_, file_->schema(), options));
    } else {
      ARROW_ASSIGN_OR_RAISE(writer_,
                            arrow::ipc::MakeFileWriter(sink_, file_->schema(), options, file_->metadata()));
    }
    return arrow::Status::OK();
  }

  Result<void> read_batch() {
    LEITONG_TRY(write_batch());
    if (batch_ != nullptr) first_ += batch_->num_rows();
    ++number_;
    LEITONG_TRY(named(guarded(&file_->bytes(), [&] { return file_->next(batch_); })));
    if (batch_ == nullptr) return fail(ErrorCode::corrupt, "the file has fewer rows than before");
    return {};
  }

  Result<void> write_batch() {
    if (runs_.empty()) return {};
    const Runs runs = std::exchange(runs_, {});
    return named(guarded(sink_.get(), [&]() -> arrow::Status {
      std::int64_t count = 0;
      for (const auto& run : runs) count += run.second;
      if (count == batch_->num_rows()) return writer_->WriteRecordBatch(*batch_);
      arrow::ArrayVector columns;
      for (const auto& column : batch_->columns()) {
        ARROW_ASSIGN_OR_RAISE(auto chosen, chosen_rows(column, runs, count, memory_.pool()));
        columns.push_back(std::move(chosen));
      }
      return writer_->WriteRecordBatch(
          *arrow::RecordBatch::Make(batch_->schema(), count, std::move(columns)));
    }));
  }

  Result<void> named(Result<void> result) const {
    if (result || number_ == 0) return result;
    return fail(result.error().code,
                "record batch " + std::to_string(number_) + ": " + result.error().message);
  }

  Memory memory_;
  std::shared_ptr<ArrowSink> sink_;
  std::unique_ptr<ArrowFile> file_;
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
  std::shared_ptr<arrow::RecordBatch> batch_;
  std::int64_t first_ = 0;  // of batch_, in the file
  std::size_t number_ = 0;  // of batch_, from 1
  Runs runs_;               // of batch_: what stays
};

}  // namespace

std::unique_ptr<TableCopier> new_arrow_copier(ByteSink sink, std::uint64_t memory) {
  return std::make_unique<ArrowCopier>(std::move(sink), memory);
}

}  // namespace leitong
