#include "corpus/column_format.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "base/try.hpp"
#include "corpus/json_names.hpp"
#include "corpus/packed_row.hpp"
#include "corpus/record_store.hpp"
#include "corpus/repeated_ids.hpp"
#include "corpus/source_bytes.hpp"
#include "corpus/source_list.hpp"
#include "corpus/stream_reader.hpp"

namespace leitong {
namespace {

// As for other formats: the size of a core's own cache.
constexpr std::size_t kRowBatchBytes = std::size_t{256} << 10;

/// The share of the run's budget for one open table.
std::uint64_t share_of(std::uint64_t memory) {
  return memory == 0 ? 0 : std::max<std::uint64_t>(memory / 4, 1);
}

Error explained(Error error, std::uint64_t memory) {
  if (error.code == ErrorCode::limit) {
    error.message += fmt::format(
        "; a quarter of the memory budget of {} MB is for tables: raise it, or write the file anew with "
        "smaller row groups or batches",
        memory >> 20);
    error.setting = "memory";
  }
  return error;
}

/// What is stored of a table.
struct ColumnHead final : SourceHead {
  std::string schema;
  std::vector<std::string> fields;  ///< names of its columns, and of the fields in these
  std::uint64_t spooled_bytes = 0;  ///< bytes of the file that are in the spool
};

struct RowBatch final : Batch {
  std::string rows;  ///< packed (packed_row.hpp)
  std::vector<std::uint32_t> ends;
};

std::string largest_text(const std::vector<TableField>& fields) {
  const TableField* largest = nullptr;
  for (const TableField& field : fields)
    if (field.kind == TableField::Kind::text && (largest == nullptr || field.bytes > largest->bytes))
      largest = &field;
  return largest == nullptr ? std::string() : largest->name;
}

/// The indexes of the wanted fields; kNoField if one is missing.
constexpr std::size_t kNoField = SIZE_MAX;
Result<std::vector<std::size_t>> find_fields(const std::vector<TableField>& fields, const FieldNames& names) {
  std::vector<std::size_t> found;
  for (std::size_t slot = 0; slot < names.names.size(); ++slot) {
    const std::string& name = names.names[slot];
    LEITONG_ASSIGN(const std::size_t number, find_field(fields, name));
    const bool is_text = slot > 0 && slot < names.texts_end;
    if (number == fields.size()) {
      if (is_text) {
        std::vector<std::string> there;
        for (const TableField& each : fields) there.push_back(each.name);
        return fail(ErrorCode::not_found, missing_field_message("column", name, there, largest_text(fields)));
      }
      found.push_back(kNoField);
      continue;
    }
    const TableField& field = fields[number];
    if (is_text && field.kind != TableField::Kind::text) {
      const bool is_list = std::ranges::find(fields, name + "[]", &TableField::name) != fields.end();
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("column \"{}\" is {}, not a string{}", name, field.type,
                      is_list ? fmt::format("; for a list of texts name the column {}[]", name) : ""));
    }
    if (slot == 0 && field.kind == TableField::Kind::other)
      return fail(ErrorCode::invalid_argument,
                  fmt::format("column \"{}\" is {}, not a string or number", name, field.type));
    found.push_back(number);
  }
  return found;
}

class ColumnStream final : public RecordStream {
 public:
  ColumnStream(const InputAccess& access, std::uint32_t source, std::uint64_t counted)
      : access_(access), source_(source), counted_(counted) {}

  /// Selects the columns. An error because of damaged bytes is a fault of the source, see next().
  Result<void> begin(Result<std::unique_ptr<TableReader>> reader, std::uint64_t spooled_bytes) {
    Result<void> begun = choose(std::move(reader), spooled_bytes);
    if (begun || !is_fault(begun.error())) return begun;
    reader_.reset();
    fault_ = without_path(begun.error().message, access_.sources.path(source_));
    return {};
  }

  Result<std::unique_ptr<Batch>> next() override {
    auto batch = std::make_unique<RowBatch>();
    batch->rows.reserve(kRowBatchBytes + kRowBatchBytes / 8);
    while (reader_ != nullptr && batch->rows.size() < kRowBatchBytes) {
      if (row_ == rows_.count) {
        const Result<bool> more = read_rows();
        if (!more && more.error().code != ErrorCode::corrupt)
          return error_at(access_.sources.path(source_), explained(more.error(), access_.memory));
        if (!more)
          fault_ =
              without_path(more.error().message, access_.sources.path(source_)) + "; what follows is lost";
        if (!more || !*more) {
          reader_.reset();
          count(1);
        }
        continue;
      }
      add_row(*batch);
    }
    if (fault_) {
      batch->fault = std::exchange(fault_, std::nullopt);
      batch->fault_cuts_short = true;
    } else if (batch->ends.empty()) {
      return nullptr;
    }
    LEITONG_ASSIGN(batch->position, access_.store.append_rows(batch->rows));
    return batch;
  }

 private:
  /// An error of the file's own bytes, or, in a folder, also of a part that is not read.
  [[nodiscard]] bool is_fault(const Error& error) const {
    return error.code == ErrorCode::corrupt ||
           (error.code == ErrorCode::unsupported && access_.sources[source_].listed);
  }

  Result<void> choose(Result<std::unique_ptr<TableReader>> reader, std::uint64_t spooled_bytes) {
    LEITONG_ASSIGN(reader_, std::move(reader));
    LEITONG_ASSIGN(std::vector<std::size_t> fields, find_fields(reader_->fields(), access_.names));
    auto head = std::make_unique<ColumnHead>();
    head->is_table = true;
    head->schema = reader_->schema();
    for (const TableField& field : reader_->fields()) head->fields.push_back(field.name);
    head->spooled_bytes = spooled_bytes;
    head_ = head.get();
    access_.sources.set_head(source_, std::move(head));
    std::vector<std::size_t> chosen;
    for (const std::size_t field : fields) {
      if (field != kNoField) chosen.push_back(field);
      columns_.push_back(field == kNoField ? kNoField : chosen.size() - 1);
    }
    return reader_->choose(chosen);
  }

  Result<bool> read_rows() {
    LEITONG_TRY(access_.stop.check());
    row_ = rows_.count = 0;
    LEITONG_ASSIGN(const bool more, reader_->next(rows_));
    count(rows_.share);
    return more;
  }

  void add_row(RowBatch& batch) {
    RowPacker packer(batch.rows, columns_.size());
    for (const std::size_t column : columns_)
      packer.add(column == kNoField ? std::string_view() : rows_.values[column][row_]);
    packer.end(access_.max_record_bytes);
    batch.ends.push_back(static_cast<std::uint32_t>(batch.rows.size()));
    ++row_;
    ++head_->rows;
  }

  /// Reports the share of the file that has been read.
  void count(double share) {
    const auto done =
        static_cast<std::uint64_t>(share * static_cast<double>(access_.sources[source_].stamp.size));
    if (done <= counted_) return;
    access_.bytes_read += done - counted_;
    counted_ = done;
  }

  const InputAccess& access_;
  std::uint32_t source_;
  std::uint64_t counted_;       // bytes of the file
  ColumnHead* head_ = nullptr;  // owned by the list of sources
  std::unique_ptr<TableReader> reader_;
  std::vector<std::size_t> columns_;  // indexes in rows_, for each of access_.names
  TableRows rows_;
  std::size_t row_ = 0;
  std::optional<std::string> fault_;
};

class ColumnParser final : public RecordParser {
 public:
  explicit ColumnParser(const InputAccess& access) : access_(access) {}

  void parse(Batch& record_batch, const EachDocument& each) override {
    auto& batch = static_cast<RowBatch&>(record_batch);
    std::uint32_t begin = 0;
    for (const std::uint32_t end : batch.ends) {
      read_row(std::string_view(batch.rows).substr(begin, end - begin));
      if (fields_.problem.empty()) {
        each({fields_.id, fields_.text});
        batch.accepted.push_back({fields_.id.empty() ? 0 : hash_id(fields_.id), 0, begin, end - begin,
                                  static_cast<std::uint32_t>(batch.lines)});
      } else {
        batch.rejected.push_back({batch.lines, 0, std::string(fields_.id), fields_.problem, false});
      }
      ++batch.lines;
      begin = end;
    }
  }

  Result<const RecordFields*> read(const Place& place) override {
    bytes_.resize(place.detail);
    LEITONG_TRY(access_.store.read_rows(place.position, bytes_.data(), bytes_.size(), ahead_));
    read_row(bytes_);
    return &fields_;
  }

 private:
  void read_row(std::string_view packed) {
    const FieldNames& names = access_.names;
    fields_.clear();
    if (const auto size = size_of_left_out(packed)) {
      fields_.problem = too_large_message(*size, access_.max_record_bytes);
      return;
    }
    RowUnpacker row(packed);
    std::size_t found = 0;
    for (std::size_t slot = 0; slot < names.names.size(); ++slot) {
      const std::string_view value = row.next();
      if (slot == 0) {
        fields_.id = value;
      } else if (slot >= names.texts_end) {
        fields_.extra.push_back(value);
      } else if (value.data() != nullptr) {
        // Joins texts as other formats do.
        if (++found == 2) joined_ = fields_.text;
        if (found > 1) joined_.append("\n").append(value);
        fields_.text = found == 1 ? value : std::string_view(joined_);
      }
    }
    check_id(names.names[0]);
    if (!fields_.problem.empty()) return;
    if (found == 0)
      fields_.problem = fmt::format("column \"{}\" {}", names.names[1],
                                    is_list_name(names.names[1]) ? "holds no text" : "is null");
    else
      check_text(fields_.text, false, names, fields_);
  }

  void check_id(const std::string& name) {
    const bool holds_nul = fields_.id.find('\0') != std::string_view::npos;
    if (!holds_nul && find_invalid_utf8(fields_.id) == std::string_view::npos) return;
    fields_.id = {};
    fields_.problem =
        fmt::format("column \"{}\" holds {}", name, holds_nul ? "a NUL character" : "invalid UTF-8");
  }

  const InputAccess& access_;
  ReadAhead ahead_;
  RecordFields fields_;
  std::string bytes_, joined_;
};

class ColumnWriter final : public KeptWriter {
 public:
  ColumnWriter(TableKind kind, const InputAccess& access, const WriteBytes& write)
      : kind_(kind), access_(access), write_(write) {}

  Result<void> begin(std::uint32_t source) override {
    if (copier_ == nullptr) {
      LEITONG_ASSIGN(const TableFiles* const files, table_files());
      LEITONG_ASSIGN(copier_, files->new_copier(
                                  kind_, [this](std::string_view bytes) { return write_(bytes); },
                                  share_of(access_.memory)));
      if (!fields_.empty()) LEITONG_TRY(copier_->extend(fields_));
      if (cuts_) LEITONG_TRY(copier_->cut_fields(text_names()));
    }
    LEITONG_TRY(flush());
    source_ = source;
    const auto& head = static_cast<const ColumnHead&>(*access_.sources[source].head);
    for (const AddedField& added : fields_)
      for (const std::string& there : head.fields)
        if (there.substr(0, there.find_first_of(".[")) == added.name)
          return error_at(access_.sources.path(source), has_field_already("column", added.name).value());
    LEITONG_ASSIGN(std::unique_ptr<TableBytes> bytes,
                   bytes_of_source(access_.sources, access_.store, source, head.spooled_bytes, access_.stop));
    return named(copier_->begin(std::move(bytes)));
  }

  Result<void> add(const Place& place) override {
    if (place.source != source_) LEITONG_TRY(begin(place.source));
    const std::uint64_t row = place.line - 1;
    if (row != first_ + count_) {
      LEITONG_TRY(flush());
      first_ = row;
    }
    ++count_;
    ++rows_;
    return {};
  }

  Result<void> prepare_cuts(const RecordFormat& /*format*/) override {
    cuts_ = true;
    return {};
  }

  Result<void> add_cut(const Place& place, std::span<const ByteRange> cuts,
                       std::span<const TextEdit>& edits) override {
    const std::uint64_t row = rows_;
    LEITONG_TRY(add(place));
    edits = {};
    if (text_names().size() == 1) return named(copier_->cut(row, 0, cuts));
    // The fields make the text with a line feed between any two, without those that are null.
    bytes_.resize(place.detail);
    LEITONG_TRY(access_.store.read_rows(place.position, bytes_.data(), bytes_.size(), ahead_));
    RowUnpacker values(bytes_);
    (void)values.next();  // the id
    std::size_t begin = 0;
    for (std::size_t field = 0; field < text_names().size(); ++field) {
      const std::string_view value = values.next();
      if (value.data() == nullptr) continue;
      const std::size_t end = begin + value.size();
      ranges_.clear();
      for (const ByteRange& cut : cuts)
        if (cut.begin < end && cut.end > begin)
          ranges_.push_back({std::max(cut.begin, begin) - begin, std::min(cut.end, end) - begin});
      if (!ranges_.empty()) LEITONG_TRY(named(copier_->cut(row, field, ranges_)));
      begin = end + 1;
    }
    return {};
  }

  /// A changed row is not as it was in its source, and no row has bytes of its own.
  [[nodiscard]] KeptPlace last() const override { return {}; }

  Result<void> extend(const RecordFormat& /*format*/, const std::vector<AddedField>& fields) override {
    fields_ = fields;
    return {};
  }

  Result<void> add_extended(const Place& place, std::span<const AddedValue> values) override {
    LEITONG_TRY(add(place));
    return named(copier_->append(values));
  }

  Result<void> finish() override {
    // A table without kept rows keeps its schema.
    for (std::uint32_t i = 0; source_ == UINT32_MAX && i < access_.sources.size(); ++i)
      if (const Source& source = access_.sources[i];
          !source.reference && source.head != nullptr && source.format->info().is_table)
        LEITONG_TRY(begin(i));
    if (source_ == UINT32_MAX) return {};
    LEITONG_TRY(flush());
    return named(copier_->finish());
  }

 private:
  [[nodiscard]] std::vector<std::string> text_names() const {
    const std::vector<std::string>& names = access_.names.names;
    return {names.begin() + 1, names.begin() + static_cast<std::ptrdiff_t>(access_.names.texts_end)};
  }
  Result<void> flush() {
    if (count_ == 0) return {};
    return named(copier_->keep(first_, std::exchange(count_, 0)));
  }
  /// Adds the name of the file to an error of copying rows.
  Result<void> named(Result<void> result) {
    if (result) return result;
    return error_at(access_.sources.path(source_), explained(std::move(result).error(), access_.memory));
  }

  TableKind kind_;
  const InputAccess& access_;
  const WriteBytes& write_;
  std::vector<AddedField> fields_;
  std::unique_ptr<TableCopier> copier_;
  std::uint32_t source_ = UINT32_MAX;
  std::uint64_t first_ = 0, count_ = 0;  // rows that stay and are not passed on yet
  bool cuts_ = false;                    // true if texts lose something
  std::uint64_t rows_ = 0;               // that stay so far
  ReadAhead ahead_;
  std::string bytes_;
  std::vector<ByteRange> ranges_;
};

/// Copies a source that cannot be read twice into the spool. Returns its size.
Result<std::uint64_t> spool_all(const InputAccess& access, ByteStream& bytes) {
  constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
  std::string piece(kPieceBytes, '\0');
  std::uint64_t size = 0;
  for (;;) {
    LEITONG_ASSIGN(const std::size_t got, bytes.read(piece.data(), piece.size()));
    if (got == 0) return size;
    LEITONG_TRY(access.store.spool().append({piece.data(), got}));
    size += got;
  }
}

}  // namespace

bool ColumnFormat::claims(const Beginning& beginning) const {
  return std::any_of(magic_.begin(), magic_.end(),
                     [&](std::string_view magic) { return beginning.bytes.starts_with(magic); });
}

Result<std::unique_ptr<RecordStream>> ColumnFormat::open(const InputAccess& access,
                                                         OpenedSource source) const {
  LEITONG_ASSIGN(const TableFiles* const files, table_files());
  std::uint64_t spooled_bytes = 0;
  std::uint64_t counted = source.bytes->peek().size();
  std::optional<Error> broken;
  if (source.spooled) {
    access.store.begin_spooled(source.number);
    Result<std::uint64_t> all = spool_all(access, *source.bytes);
    if (!all && ends_run(all.error(), access.sources[source.number]))
      return tl::unexpected<Error>(all.error());
    if (!all) broken = all.error();
    spooled_bytes = all.value_or(0);
    counted = UINT64_MAX;  // the stream has counted them
  }
  auto stream = std::make_unique<ColumnStream>(access, source.number, counted);
  Result<std::unique_ptr<TableReader>> reader = [&]() -> Result<std::unique_ptr<TableReader>> {
    if (broken) return fail(ErrorCode::corrupt, broken->message);
    if (source.spooled && spooled_bytes == 0) return fail(ErrorCode::corrupt, "the source is empty");
    LEITONG_ASSIGN(std::unique_ptr<TableBytes> bytes,
                   bytes_of_source(access.sources, access.store, source.number, spooled_bytes, access.stop));
    return files->open(kind_, std::move(bytes), share_of(access.memory));
  }();
  if (const Result<void> begun = stream->begin(std::move(reader), spooled_bytes); !begun)
    return tl::unexpected<Error>(explained(begun.error(), access.memory));
  return stream;
}

std::unique_ptr<RecordParser> ColumnFormat::new_parser(const InputAccess& access) const {
  return std::make_unique<ColumnParser>(access);
}

std::string ColumnFormat::mismatch(const Source& a, const Source& b) const {
  const auto schema = [](const Source& source) -> std::string_view {
    return source.head == nullptr ? std::string_view() : static_cast<const ColumnHead*>(source.head)->schema;
  };
  return schema(a) == schema(b)
             ? std::string()
             : "their schemas differ; give all files the same columns of the same types, or "
               "name a folder for the kept records, which gets a file for each";
}

std::unique_ptr<KeptWriter> ColumnFormat::new_writer(const InputAccess& access,
                                                     const WriteBytes& write) const {
  return std::make_unique<ColumnWriter>(kind_, access, write);
}

}  // namespace leitong
