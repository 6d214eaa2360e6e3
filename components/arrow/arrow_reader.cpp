// Reads some columns of Arrow IPC, batch by batch.
#include <algorithm>

#include "arrow_file.hpp"
#include "as_text.hpp"
#include "base/try.hpp"
#include "component.hpp"

namespace leitong {
namespace {

class ArrowReader final : public TableReader {
 public:
  ArrowReader(std::unique_ptr<TableBytes> bytes, std::uint64_t memory)
      : limit_(memory), memory_(memory), file_(std::move(bytes), memory_.pool()) {}

  Result<void> open() {
    return guarded(&file_.bytes(), [&]() -> arrow::Status {
      ARROW_RETURN_NOT_OK(file_.open());
      list_fields(*file_.schema(), fields_, paths_);
      schema_ = file_.schema()->ToString(false);
      // Checked before hours of work; not needed when rows are copied.
      for (std::size_t i = 0; limit_ > 0 && i < file_.batches().size(); ++i)
        if (file_.batches()[i].bytes > static_cast<std::int64_t>(limit_))
          return arrow::Status::OutOfMemory("record batch ", i + 1, ": it has ", file_.batches()[i].bytes,
                                            " bytes");
      return arrow::Status::OK();
    });
  }

  [[nodiscard]] const std::vector<TableField>& fields() const override { return fields_; }
  [[nodiscard]] const std::string& schema() const override { return schema_; }

  Result<void> choose(const std::vector<std::size_t>& fields) override {
    std::vector<int> columns;
    for (const std::size_t field : fields) columns.push_back(paths_[field].front());
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const std::size_t field : fields) {
      FieldPath path = paths_[field];
      path.front() =
          static_cast<int>(std::lower_bound(columns.begin(), columns.end(), path.front()) - columns.begin());
      chosen_.push_back(std::move(path));
    }
    texts_.resize(chosen_.size());
    return guarded(&file_.bytes(), [&] { return file_.open(columns); });
  }

  Result<bool> next(TableRows& rows) override {
    rows.count = 0;
    ++batch_;
    const Result<void> read = guarded(&file_.bytes(), [&]() -> arrow::Status {
      std::shared_ptr<arrow::RecordBatch> batch;
      do {
        ARROW_RETURN_NOT_OK(file_.next(batch));
        if (batch == nullptr) return arrow::Status::OK();
      } while (batch->num_rows() == 0);
      rows.values.resize(chosen_.size());
      for (std::size_t i = 0; i < chosen_.size(); ++i)
        ARROW_RETURN_NOT_OK(texts_[i].read(*batch, chosen_[i], memory_.pool(), rows.values[i]));
      rows.count = static_cast<std::size_t>(batch->num_rows());
      rows.share = file_.share();
      return arrow::Status::OK();
    });
    if (!read)
      return fail(read.error().code, "record batch " + std::to_string(batch_) + ": " + read.error().message);
    return rows.count > 0;
  }

 private:
  std::uint64_t limit_;
  Memory memory_;
  ArrowFile file_;
  std::vector<TableField> fields_;
  std::vector<FieldPath> paths_, chosen_;
  std::string schema_;
  std::vector<TextColumn> texts_;
  std::size_t batch_ = 0;
};

}  // namespace

Result<std::unique_ptr<TableReader>> open_arrow(std::unique_ptr<TableBytes> bytes, std::uint64_t memory) {
  auto reader = std::make_unique<ArrowReader>(std::move(bytes), memory);
  LEITONG_TRY(reader->open());
  return reader;
}

}  // namespace leitong
