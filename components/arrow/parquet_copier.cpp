// Copies rows of Parquet files into one file, column by column, as levels and values of the physical types.
// So the meaning of a column is kept, even if Arrow has no such type. No column is in memory as a whole.
#include <arrow/util/key_value_metadata.h>
#include <parquet/arrow/schema.h>
#include <parquet/column_reader.h>
#include <parquet/column_writer.h>
#include <parquet/file_reader.h>
#include <parquet/file_writer.h>
#include <parquet/metadata.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "added_columns.hpp"
#include "arrow_io.hpp"
#include "as_text.hpp"
#include "base/try.hpp"
#include "component.hpp"
#include "parquet_fields.hpp"

namespace leitong {
namespace {

using parquet::Encoding;

/// The number of levels that are read at a time.
constexpr std::int64_t kLevels = 1024;
/// The most files that may be open at once, for an output row group that is made of many small ones.
constexpr std::size_t kOpenFiles = 64;

/// An input. Its rows are numbered through all its row groups.
struct Input {
  Input(std::unique_ptr<TableBytes> of, arrow::MemoryPool* pool)
      : bytes(std::make_shared<ArrowBytes>(std::move(of), pool)) {}

  void open(arrow::MemoryPool* pool) {
    file = parquet::ParquetFileReader::Open(bytes, parquet_properties(pool));
    for (int group = 0; group < file->metadata()->num_row_groups(); ++group)
      ends.push_back((ends.empty() ? 0 : ends.back()) + file->metadata()->RowGroup(group)->num_rows());
  }
  [[nodiscard]] std::int64_t begin_of(std::size_t group) const { return group == 0 ? 0 : ends[group - 1]; }

  std::shared_ptr<ArrowBytes> bytes;
  std::unique_ptr<parquet::ParquetFileReader> file;
  std::vector<std::int64_t> ends;  // ends of row groups
};

/// Rows of one row group of an input that stay.
struct Stretch {
  std::shared_ptr<Input> input;
  std::size_t group;
  std::vector<std::pair<std::int64_t, std::int64_t>> runs;  // first row in the group, and how many
};

/// Moves through one column of the inputs, from stretch to stretch, and copies the values that stay.
class ColumnCursor {
 public:
  virtual ~ColumnCursor() = default;
  virtual void copy(const std::vector<Stretch>& stretches, parquet::ColumnWriter& writer) = 0;
  /// Takes what rows lose out of the values. Only for columns of bytes.
  virtual void cut(RowCuts& cuts) = 0;
};

template <class Type>
class TypedCursor final : public ColumnCursor {
 public:
  TypedCursor(const parquet::ColumnDescriptor& column, int number)
      : number_(number),
        defines_(column.max_definition_level()),
        repeats_(column.max_repetition_level() > 0),
        kept_definitions_(kMostKept),
        kept_repetitions_(kMostKept),
        kept_values_(std::make_unique<Value[]>(kMostKept)) {}

  void copy(const std::vector<Stretch>& stretches, parquet::ColumnWriter& writer) override {
    writer_ = &static_cast<parquet::TypedColumnWriter<Type>&>(writer);
    for (const Stretch& stretch : stretches) {
      move_to(stretch);
      for (const auto& [first, count] : stretch.runs) {
        skip(first - now_->row);
        pass(count, true);
        now_->row = first + count;
      }
    }
    flush();
  }

  void cut(RowCuts& cuts) override {
    if constexpr (!kIsBytes) throw parquet::ParquetException("a column whose texts can't be changed");
    cuts_ = &cuts;
  }

 private:
  using Value = typename Type::c_type;
  static constexpr bool kIsBytes = std::is_same_v<Type, parquet::ByteArrayType>;

  /// Each of the two readings may have its last levels among the values that stay.
  static constexpr std::int64_t kMostKept = 2 * kLevels;

  /// A row group that is being read. Each of two alternating inputs keeps its own.
  struct Reading {
    std::shared_ptr<Input> input;
    std::size_t group = 0;
    std::shared_ptr<parquet::TypedColumnReader<Type>> reader;
    std::int64_t row = 0;  // next row of the group
    // The levels that were read last, and how many of them are processed.
    std::vector<std::int16_t> definitions = std::vector<std::int16_t>(kLevels);
    std::vector<std::int16_t> repetitions = std::vector<std::int16_t>(kLevels);
    std::unique_ptr<Value[]> values = std::make_unique<Value[]>(kLevels);
    std::int64_t levels = 0, level = 0, value = 0;

    [[nodiscard]] bool is_of(const Stretch& stretch) const {
      return input == stretch.input && group == stretch.group;
    }
  };

  void move_to(const Stretch& stretch) {
    if (now_->is_of(stretch)) return;
    Reading* const other = now_ == &readings_[0] ? &readings_[1] : &readings_[0];
    if (now_->input != nullptr && now_->input != stretch.input) now_ = other;
    if (now_->is_of(stretch)) return;
    flush();  // values may be in the reader's memory
    now_->input = stretch.input;
    now_->group = stretch.group;
    now_->reader = std::static_pointer_cast<parquet::TypedColumnReader<Type>>(
        now_->input->file->RowGroup(static_cast<int>(now_->group))->Column(number_));
    now_->row = 0;
    now_->level = now_->levels = now_->value = 0;
  }

  void skip(std::int64_t rows) {
    if (rows <= 0) return;
    if (!repeats_ && rows > now_->levels - now_->level) {
      // Rows far ahead are skipped by pages.
      rows -= now_->levels - now_->level;
      now_->level = now_->levels;
      if (rows > kLevels) {
        flush();
        if (now_->reader->Skip(rows) < rows) lost();
        return;
      }
    }
    pass(rows, false);
  }

  /// Processes the next rows, from the beginning of a row on.
  void pass(std::int64_t rows, bool stays) {
    std::int64_t begun = 0;
    for (;;) {
      if (now_->level == now_->levels && !fill()) {
        if (begun < rows) lost();
        return;
      }
      if (!repeats_) {
        const std::int64_t count = std::min(rows - begun, now_->levels - now_->level);
        take(count, stays);
        begun += count;
        if (begun == rows) return;
        continue;
      }
      // A row ends where the next one begins, which may be in the next levels.
      const std::vector<std::int16_t>& repetitions = now_->repetitions;
      std::int64_t end = now_->level;
      while (end < now_->levels && !(repetitions[static_cast<std::size_t>(end)] == 0 && begun == rows))
        begun += repetitions[static_cast<std::size_t>(end++)] == 0;
      take(end - now_->level, stays);
      if (end < now_->levels) return;
    }
  }

  bool fill() {
    flush();
    Reading& now = *now_;
    now.level = now.value = 0;
    std::int64_t values = 0;
    now.levels = now.reader->HasNext()
                     ? now.reader->ReadBatch(kLevels, now.definitions.data(), now.repetitions.data(),
                                             now.values.get(), &values)
                     : 0;
    return now.levels > 0;
  }

  void take(std::int64_t count, bool stays) {
    Reading& now = *now_;
    std::int64_t values = count;
    const auto* const from = now.definitions.data() + now.level;
    if (defines_ > 0) values = std::count(from, from + count, defines_);
    if (stays) {
      if (defines_ > 0) std::copy_n(from, count, kept_definitions_.data() + kept_levels_);
      if (repeats_)
        std::copy_n(now.repetitions.data() + now.level, count, kept_repetitions_.data() + kept_levels_);
      std::copy_n(now.values.get() + now.value, values, kept_values_.get() + kept_count_);
      if constexpr (kIsBytes)
        if (cuts_ != nullptr) cut_values(count);
      kept_levels_ += count;
      kept_count_ += values;
    }
    now.level += count;
    now.value += values;
  }

  /// Takes the cuts of their rows out of the values of the next `count` levels, which were copied already.
  void cut_values(std::int64_t count) {
    const Reading& now = *now_;
    Value* value = kept_values_.get() + kept_count_;
    for (std::int64_t level = now.level; level < now.level + count; ++level) {
      const auto at = static_cast<std::size_t>(level);
      if (!repeats_ || now.repetitions[at] == 0) {
        row_cuts_ = cuts_->of(rows_++);
        text_at_ = 0;
      }
      if (defines_ > 0 && now.definitions[at] != defines_) continue;
      // A reader joins the texts of one row by line feeds.
      const std::string_view text(*value);
      if (!row_cuts_.empty() && without_ranges(text, text_at_, row_cuts_, left_)) {
        changed_.push_back(left_);
        *value = parquet::ByteArray(std::string_view(changed_.back()));
      }
      text_at_ += text.size() + 1;
      ++value;
    }
  }

  /// Called before more is read, since values point into the current page.
  void flush() {
    if (kept_levels_ > 0)
      writer_->WriteBatch(kept_levels_, defines_ > 0 ? kept_definitions_.data() : nullptr,
                          repeats_ ? kept_repetitions_.data() : nullptr, kept_values_.get());
    kept_levels_ = kept_count_ = 0;
    changed_.clear();
  }

  [[noreturn]] static void lost() {
    throw parquet::ParquetException("a column ends before its row group does");
  }

  int number_;
  std::int16_t defines_;
  bool repeats_;
  parquet::TypedColumnWriter<Type>* writer_ = nullptr;

  Reading readings_[2];
  Reading* now_ = &readings_[0];
  // The values that were read and stay.
  std::vector<std::int16_t> kept_definitions_, kept_repetitions_;
  std::unique_ptr<Value[]> kept_values_;
  std::int64_t kept_levels_ = 0, kept_count_ = 0;

  RowCuts* cuts_ = nullptr;  // null: values stay as they are
  std::uint64_t rows_ = 0;   // that were kept so far, the present one included
  std::span<const ByteRange> row_cuts_;
  std::size_t text_at_ = 0;  // where the next value begins in the text of the row
  std::string left_;
  std::deque<std::string> changed_;  // values that are not written yet
};

std::unique_ptr<ColumnCursor> new_cursor(const parquet::ColumnDescriptor& column, int number) {
  using parquet::Type;
  switch (column.physical_type()) {
    case Type::BOOLEAN:
      return std::make_unique<TypedCursor<parquet::BooleanType>>(column, number);
    case Type::INT32:
      return std::make_unique<TypedCursor<parquet::Int32Type>>(column, number);
    case Type::INT64:
      return std::make_unique<TypedCursor<parquet::Int64Type>>(column, number);
    case Type::INT96:
      return std::make_unique<TypedCursor<parquet::Int96Type>>(column, number);
    case Type::FLOAT:
      return std::make_unique<TypedCursor<parquet::FloatType>>(column, number);
    case Type::DOUBLE:
      return std::make_unique<TypedCursor<parquet::DoubleType>>(column, number);
    case Type::BYTE_ARRAY:
      return std::make_unique<TypedCursor<parquet::ByteArrayType>>(column, number);
    case Type::FIXED_LEN_BYTE_ARRAY:
      return std::make_unique<TypedCursor<parquet::FLBAType>>(column, number);
    default:
      throw parquet::ParquetException("a column of an unknown type");
  }
}

/// Writes a column with the settings of the file, as far as it stores them.
void write_as(const parquet::FileMetaData& file, int number, parquet::WriterProperties::Builder& builder) {
  const auto path = file.schema()->Column(number)->path();
  const auto chunk = file.RowGroup(0)->ColumnChunk(number);
  builder.compression(path, chunk->compression());
  bool dictionary = false;
  for (int group = 0; group < file.num_row_groups() && !dictionary; ++group)
    dictionary = file.RowGroup(group)->ColumnChunk(number)->has_dictionary_page();
  if (!dictionary) builder.disable_dictionary(path);
  for (const Encoding::type encoding : chunk->encodings())
    if (encoding == Encoding::DELTA_BINARY_PACKED || encoding == Encoding::DELTA_LENGTH_BYTE_ARRAY ||
        encoding == Encoding::DELTA_BYTE_ARRAY || encoding == Encoding::BYTE_STREAM_SPLIT)
      builder.encoding(path, encoding);
  if (!chunk->is_stats_set()) builder.disable_statistics(path);
  if (chunk->GetOffsetIndexLocation())
    builder.enable_write_page_index(path);
  else
    builder.disable_write_page_index(path);
  if (chunk->bloom_filter_offset()) builder.enable_bloom_filter(path, {});
  for (const auto& pages : chunk->encoding_stats())
    if (pages.page_type == parquet::PageType::DATA_PAGE_V2)
      builder.data_page_version(parquet::ParquetDataPageVersion::V2);
}

std::shared_ptr<parquet::WriterProperties> written_as(const parquet::FileMetaData& file,
                                                      std::int64_t group_rows, arrow::MemoryPool* pool) {
  parquet::WriterProperties::Builder builder;
  builder.memory_pool(pool);
  builder.version(file.version());
  builder.max_row_group_length(group_rows);
  if (file.num_row_groups() > 0) {
    for (int number = 0; number < file.num_columns(); ++number) write_as(file, number, builder);
    if (auto sorted = file.RowGroup(0)->sorting_columns(); !sorted.empty())
      builder.set_sorting_columns(std::move(sorted));
  }
  return builder.build();
}

parquet::schema::NodePtr node_of(const AddedField& field) {
  using parquet::Type;
  using parquet::schema::PrimitiveNode;
  const auto optional = parquet::Repetition::OPTIONAL;
  switch (field.type) {
    case AddedField::Type::integer:
      return PrimitiveNode::Make(field.name, optional, Type::INT64);
    case AddedField::Type::number:
      return PrimitiveNode::Make(field.name, optional, Type::DOUBLE);
    case AddedField::Type::truth:
      return PrimitiveNode::Make(field.name, optional, Type::BOOLEAN);
    case AddedField::Type::text:
      break;
  }
  return PrimitiveNode::Make(field.name, optional, parquet::LogicalType::String(), Type::BYTE_ARRAY);
}

/// The schema with these columns behind its own.
std::shared_ptr<parquet::schema::GroupNode> extended(const parquet::schema::GroupNode& root,
                                                     const std::vector<AddedField>& fields) {
  parquet::schema::NodeVector nodes;
  for (int i = 0; i < root.field_count(); ++i) nodes.push_back(root.field(i));
  for (const AddedField& field : fields) nodes.push_back(node_of(field));
  return std::static_pointer_cast<parquet::schema::GroupNode>(
      parquet::schema::GroupNode::Make(root.name(), root.repetition(), std::move(nodes)));
}

/// Leaves the description of the schema that Arrow's own writers add, and which has other columns.
std::shared_ptr<const arrow::KeyValueMetadata> without_arrow_schema(
    const std::shared_ptr<const arrow::KeyValueMetadata>& metadata) {
  if (metadata == nullptr) return nullptr;
  auto left = metadata->Copy();
  if (const int at = left->FindKey("ARROW:schema"); at >= 0 && !left->Delete(at).ok()) return nullptr;
  return left;
}

/// Writes the first values and takes them out.
template <class Type, class Make>
void write_values(std::deque<AddedColumns::Value>& values, std::int64_t rows, parquet::ColumnWriter& writer,
                  const Make& make) {
  auto& to = static_cast<parquet::TypedColumnWriter<Type>&>(writer);
  for (std::int64_t row = 0; row < rows; ++row) {
    const bool null = std::holds_alternative<std::monostate>(values.front());
    const std::int16_t definition = null ? 0 : 1;
    const typename Type::c_type value = null ? typename Type::c_type() : make(values.front());
    to.WriteBatch(1, &definition, nullptr, &value);
    values.pop_front();
  }
}

void write_added(AddedField::Type type, std::deque<AddedColumns::Value>& values, std::int64_t rows,
                 parquet::ColumnWriter& writer) {
  using Value = AddedColumns::Value;
  switch (type) {
    case AddedField::Type::integer:
      return write_values<parquet::Int64Type>(values, rows, writer, [](const Value& value) {
        return static_cast<std::int64_t>(std::get<std::uint64_t>(value));
      });
    case AddedField::Type::number:
      return write_values<parquet::DoubleType>(values, rows, writer,
                                               [](const Value& value) { return std::get<double>(value); });
    case AddedField::Type::truth:
      return write_values<parquet::BooleanType>(values, rows, writer,
                                                [](const Value& value) { return std::get<bool>(value); });
    case AddedField::Type::text:
      return write_values<parquet::ByteArrayType>(values, rows, writer, [](const Value& value) {
        return parquet::ByteArray(std::string_view(std::get<std::string>(value)));
      });
  }
}

class ParquetCopier final : public ExtendingCopier {
 public:
  ParquetCopier(ByteSink sink, std::uint64_t memory)
      : ExtendingCopier(memory), sink_(std::make_shared<ArrowSink>(std::move(sink))) {}

  Result<void> begin(std::unique_ptr<TableBytes> bytes) override {
    auto input = std::make_shared<Input>(std::move(bytes), memory_.pool());
    LEITONG_TRY(guarded(input->bytes.get(), [&] {
      input->open(memory_.pool());
      return arrow::Status::OK();
    }));
    other_ = std::exchange(input_, std::move(input));
    if (file_ != nullptr) return {};
    return guarded(sink_.get(), [&] {
      begin_file(*input_->file->metadata());
      return arrow::Status::OK();
    });
  }

  Result<void> change() override {
    std::swap(input_, other_);
    return {};
  }

  Result<void> keep(std::uint64_t first_row, std::uint64_t row_count) override {
    auto first = static_cast<std::int64_t>(first_row), count = static_cast<std::int64_t>(row_count);
    while (count > 0) {
      const auto end = std::upper_bound(input_->ends.begin(), input_->ends.end(), first);
      if (end == input_->ends.end()) return fail(ErrorCode::corrupt, "the file has fewer rows than before");
      const auto group = static_cast<std::size_t>(end - input_->ends.begin());
      const std::int64_t part = std::min({count, *end - first, group_rows_ - pending_rows_});
      if (pending_.empty() || pending_.back().input != input_ || pending_.back().group != group) {
        inputs_.insert(input_.get());
        pending_.push_back({input_, group, {}});
      }
      pending_.back().runs.emplace_back(first - input_->begin_of(group), part);
      pending_rows_ += part;
      first += part;
      count -= part;
      if (pending_rows_ == group_rows_ || inputs_.size() > kOpenFiles) LEITONG_TRY(write_group());
    }
    return {};
  }

  Result<void> finish() override {
    LEITONG_TRY(write_group());
    return guarded(sink_.get(), [&] {
      file_->Close();
      return arrow::Status::OK();
    });
  }

 private:
  void begin_file(const parquet::FileMetaData& first) {
    constexpr std::int64_t kUsualRows = std::int64_t{1} << 20;
    for (int group = 0; group < first.num_row_groups(); ++group)
      group_rows_ = std::max(group_rows_, first.RowGroup(group)->num_rows());
    if (group_rows_ == 0) group_rows_ = kUsualRows;
    auto root = std::static_pointer_cast<parquet::schema::GroupNode>(first.schema()->schema_root());
    auto metadata = first.key_value_metadata();
    if (added_) {
      root = extended(*root, added_->fields());
      // What Arrow's writers store of the schema lacks the new columns: readers would take it for the schema.
      metadata = without_arrow_schema(metadata);
    }
    file_ = parquet::ParquetFileWriter::Open(sink_, root, written_as(first, group_rows_, memory_.pool()),
                                             std::move(metadata));
    for (int number = 0; number < first.num_columns(); ++number)
      cursors_.push_back(new_cursor(*first.schema()->Column(number), number));
    if (!cuts_.empty()) cut_columns(first);
  }

  /// Has the columns of the fields lose what rows lose of them.
  void cut_columns(const parquet::FileMetaData& file) {
    parquet::arrow::SchemaManifest manifest;
    PARQUET_THROW_NOT_OK(parquet::arrow::SchemaManifest::Make(
        file.schema(), file.key_value_metadata(), parquet::ArrowReaderProperties(false), &manifest));
    arrow::FieldVector columns;
    for (const auto& field : manifest.schema_fields) columns.push_back(field.field);
    std::vector<TableField> fields;
    std::vector<FieldPath> paths;
    list_fields(*arrow::schema(std::move(columns)), fields, paths);
    for (std::size_t i = 0; i < cut_names_.size(); ++i) {
      const auto found = std::ranges::find(fields, cut_names_[i], &TableField::name);
      std::vector<int> leaves;
      if (found != fields.end())
        list_leaves(field_at(manifest, paths[static_cast<std::size_t>(found - fields.begin())]), leaves);
      if (leaves.size() != 1) throw parquet::ParquetException("the column " + cut_names_[i] + " is missing");
      cursors_[static_cast<std::size_t>(leaves.front())]->cut(cuts_[i]);
    }
  }

  Result<void> write_group() {
    if (pending_rows_ == 0) return {};
    Result<void> written = guarded(sink_.get(), [&] {
      parquet::RowGroupWriter* const group = file_->AppendRowGroup();
      for (const auto& cursor : cursors_) {
        parquet::ColumnWriter* const column = group->NextColumn();
        cursor->copy(pending_, *column);
        column->Close();
      }
      for (std::size_t field = 0; added_ && field < added_->fields().size(); ++field) {
        parquet::ColumnWriter* const column = group->NextColumn();
        write_added(added_->fields()[field].type, added_->values(field), pending_rows_, *column);
        column->Close();
      }
      group->Close();
      return arrow::Status::OK();
    });
    for (const Stretch& stretch : pending_)
      if (!written && stretch.input->bytes->error())
        return tl::unexpected<Error>(*stretch.input->bytes->error());
    pending_.clear();
    pending_rows_ = 0;
    inputs_.clear();
    return written;
  }

  std::shared_ptr<ArrowSink> sink_;
  std::shared_ptr<Input> input_, other_;  // the current table, and the one before it
  std::unique_ptr<parquet::ParquetFileWriter> file_;
  std::vector<std::unique_ptr<ColumnCursor>> cursors_;
  std::int64_t group_rows_ = 0;
  std::vector<Stretch> pending_;  // rows of the next row group
  std::int64_t pending_rows_ = 0;
  std::set<const Input*> inputs_;  // the inputs in pending_
};

}  // namespace

std::unique_ptr<TableCopier> new_parquet_copier(ByteSink sink, std::uint64_t memory) {
  return std::make_unique<ParquetCopier>(std::move(sink), memory);
}

}  // namespace leitong
