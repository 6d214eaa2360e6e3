// Writes rows of Arrow IPC into one file or stream. Batches keep their boundaries, without the rows that
// leave; a batch that loses all rows is left out.
#include <arrow/array/builder_base.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/array/concatenate.h>
#include <arrow/builder.h>
#include <arrow/compute/api_vector.h>
#include <arrow/compute/exec.h>
#include <arrow/datum.h>
#include <arrow/ipc/writer.h>
#include <arrow/util/compression.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "added_columns.hpp"
#include "arrow_file.hpp"
#include "as_text.hpp"
#include "base/try.hpp"
#include "component.hpp"
#include "cut_texts.hpp"

namespace leitong {
namespace {

using Runs = std::vector<std::pair<std::int64_t, std::int64_t>>;  ///< first row, and how many

/// True if the type holds views of bytes, which Arrow's Take does not support.
bool has_views(const arrow::DataType& type) {
  if (arrow::is_binary_view_like(type.id())) return true;
  for (const auto& field : type.fields())
    if (has_views(*field->type())) return true;
  return false;
}

/// Rows of two columns of one type, in the order of the runs: those of the first column and, numbered from
/// its end on, those of the second one, which may be null.
arrow::Result<std::shared_ptr<arrow::Array>> chosen_rows(std::shared_ptr<arrow::Array> column,
                                                         const std::shared_ptr<arrow::Array>& second,
                                                         const Runs& runs, std::int64_t count,
                                                         arrow::MemoryPool* pool) {
  if (has_views(*column->type())) {
    std::unique_ptr<arrow::ArrayBuilder> builder;
    ARROW_RETURN_NOT_OK(arrow::MakeBuilder(pool, column->type(), &builder));
    const arrow::ArraySpan rows(*column->data());
    const arrow::ArraySpan more(second == nullptr ? *column->data() : *second->data());
    for (const auto& [first, length] : runs)
      ARROW_RETURN_NOT_OK(first < column->length()
                              ? builder->AppendArraySlice(rows, first, length)
                              : builder->AppendArraySlice(more, first - column->length(), length));
    return builder->Finish();
  }
  if (second != nullptr) {
    ARROW_ASSIGN_OR_RAISE(column, arrow::Concatenate({column, second}, pool));
  }
  arrow::Int64Builder rows(pool);
  ARROW_RETURN_NOT_OK(rows.Reserve(count));
  for (const auto& [first, length] : runs)
    for (std::int64_t row = first; row < first + length; ++row) rows.UnsafeAppend(row);
  ARROW_ASSIGN_OR_RAISE(const auto wanted, rows.Finish());
  arrow::compute::ExecContext context(pool);
  return arrow::compute::Take(*column, *wanted, arrow::compute::TakeOptions::NoBoundsCheck(), &context);
}

/// A table that is being read.
struct ArrowInput {
  std::unique_ptr<ArrowFile> file;
  std::shared_ptr<arrow::RecordBatch> batch;
  std::int64_t first = 0;  // place of the batch in the file
  std::size_t number = 0;  // number of the batch, from 1
};

class ArrowCopier final : public ExtendingCopier {
 public:
  ArrowCopier(ByteSink sink, std::uint64_t memory)
      : ExtendingCopier(memory), sink_(std::make_shared<ArrowSink>(std::move(sink))) {}

  Result<void> begin(std::unique_ptr<TableBytes> bytes) override {
    LEITONG_TRY(write_batch());
    other_ = std::exchange(input_, {});
    is_changed_ = false;
    input_.file = std::make_unique<ArrowFile>(std::move(bytes), memory_.pool());
    return guarded(&input_.file->bytes(), [&]() -> arrow::Status {
      ARROW_RETURN_NOT_OK(input_.file->open());
      return writer_ == nullptr ? begin_output() : arrow::Status::OK();
    });
  }

  Result<void> change() override {
    is_changed_ = !is_changed_;
    return {};
  }

  Result<void> keep(std::uint64_t first_row, std::uint64_t row_count) override {
    auto first = static_cast<std::int64_t>(first_row), count = static_cast<std::int64_t>(row_count);
    ArrowInput& from = is_changed_ ? other_ : input_;
    while (count > 0) {
      while (from.batch == nullptr || first >= from.first + from.batch->num_rows())
        LEITONG_TRY(read_batch(from));
      const std::int64_t part = std::min(count, from.first + from.batch->num_rows() - first);
      runs_.push_back({is_changed_, first - from.first, part});
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
    ArrowFile& file = *input_.file;
    ARROW_ASSIGN_OR_RAISE(const auto compression, file.compression());
    if (compression != arrow::Compression::UNCOMPRESSED) {
      ARROW_ASSIGN_OR_RAISE(options.codec, arrow::util::Codec::Create(compression));
    }
    ARROW_RETURN_NOT_OK(file.open());  // starts again from the beginning
    schema_ = added_ ? added_->extended(*file.schema()) : file.schema();
    ARROW_RETURN_NOT_OK(find_cut_fields(*file.schema()));
    if (file.is_stream()) {
      ARROW_ASSIGN_OR_RAISE(writer_, arrow::ipc::MakeStreamWriter(sink_, schema_, options));
    } else {
      ARROW_ASSIGN_OR_RAISE(writer_, arrow::ipc::MakeFileWriter(sink_, schema_, options, file.metadata()));
    }
    return arrow::Status::OK();
  }

  arrow::Status find_cut_fields(const arrow::Schema& schema) {
    std::vector<TableField> fields;
    std::vector<FieldPath> paths;
    list_fields(schema, fields, paths);
    for (const std::string& name : cut_names_) {
      const auto found = std::ranges::find(fields, name, &TableField::name);
      if (found == fields.end()) return arrow::Status::Invalid("the column ", name, " is missing");
      cut_paths_.push_back(paths[static_cast<std::size_t>(found - fields.begin())]);
      ARROW_RETURN_NOT_OK(check_cuttable(*schema.field(cut_paths_.back().front())->type(),
                                         std::span(cut_paths_.back()).subspan(1), name));
    }
    return arrow::Status::OK();
  }

  Result<void> read_batch(ArrowInput& from) {
    LEITONG_TRY(write_batch());
    if (from.batch != nullptr) from.first += from.batch->num_rows();
    ++from.number;
    LEITONG_TRY(named(from, guarded(&from.file->bytes(), [&] { return from.file->next(from.batch); })));
    if (from.batch == nullptr) return fail(ErrorCode::corrupt, "the file has fewer rows than before");
    return {};
  }

  Result<void> write_batch() {
    if (runs_.empty()) return {};
    const std::vector<Run> runs = std::exchange(runs_, {});
    const bool of_both =
        std::ranges::any_of(runs, [&](const Run& run) { return run.changed != runs[0].changed; });
    const ArrowInput& from = runs[0].changed ? other_ : input_;
    const ArrowInput& second = runs[0].changed ? input_ : other_;
    return named(
        from, guarded(sink_.get(), [&]() -> arrow::Status {
          std::int64_t count = 0;
          Runs rows;
          for (const Run& run : runs) {
            count += run.length;
            rows.emplace_back(run.first + (run.changed != runs[0].changed ? from.batch->num_rows() : 0),
                              run.length);
          }
          const bool whole = !of_both && count == from.batch->num_rows();
          const std::uint64_t first_row = std::exchange(rows_, rows_ + static_cast<std::uint64_t>(count));
          const bool cuts =
              std::ranges::any_of(cuts_, [&](RowCuts& field) { return field.any_in(first_row, rows_); });
          if (whole && !added_ && !cuts) return writer_->WriteRecordBatch(*from.batch);
          arrow::ArrayVector columns;
          for (int column = 0; column < from.batch->num_columns(); ++column) {
            std::shared_ptr<arrow::Array> chosen = from.batch->column(column);
            if (!whole) {
              ARROW_ASSIGN_OR_RAISE(
                  chosen, chosen_rows(chosen, of_both ? second.batch->column(column) : nullptr, rows, count,
                                      memory_.pool()));
            }
            columns.push_back(std::move(chosen));
          }
          for (std::size_t i = 0; i < cut_paths_.size(); ++i) {
            auto& column = columns[static_cast<std::size_t>(cut_paths_[i].front())];
            ARROW_ASSIGN_OR_RAISE(column, without_cuts(column, std::span(cut_paths_[i]).subspan(1), first_row,
                                                       cuts_[i], memory_.pool()));
          }
          if (added_) ARROW_RETURN_NOT_OK(added_->take(count, columns));
          return writer_->WriteRecordBatch(
              *arrow::RecordBatch::Make(added_ ? schema_ : from.batch->schema(), count, std::move(columns)));
        }));
  }

  static Result<void> named(const ArrowInput& from, Result<void> result) {
    if (result || from.number == 0) return result;
    return fail(result.error().code,
                "record batch " + std::to_string(from.number) + ": " + result.error().message);
  }

  /// Rows of a batch that stay.
  struct Run {
    bool changed;  ///< true if the row belongs to the previous table
    std::int64_t first, length;
  };

  std::shared_ptr<ArrowSink> sink_;
  ArrowInput input_, other_;  // the current table, and the one before it
  bool is_changed_ = false;   // true if rows belong to the one before
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
  std::shared_ptr<arrow::Schema> schema_;  // of the output
  std::vector<Run> runs_;                  // rows that stay in both batches
  std::vector<FieldPath> cut_paths_;       // of the fields that rows lose something of
  std::uint64_t rows_ = 0;                 // that were written
};

}  // namespace

std::unique_ptr<TableCopier> new_arrow_copier(ByteSink sink, std::uint64_t memory) {
  return std::make_unique<ArrowCopier>(std::move(sink), memory);
}

}  // namespace leitong
