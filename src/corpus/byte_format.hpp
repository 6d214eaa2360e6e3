// Formats whose records are byte ranges. In a place, `position` is the offset of a record in the uncompressed
// UTF-8 source, and `detail` its length without the line end. For a file that is one document, `detail` is
// its uncompressed size.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/try.hpp"
#include "corpus/charset.hpp"
#include "corpus/padded_bytes.hpp"
#include "corpus/record_format.hpp"
#include "corpus/record_scanner.hpp"
#include "corpus/record_store.hpp"
#include "corpus/repeated_ids.hpp"
#include "corpus/source_list.hpp"
#include "corpus/stream_reader.hpp"

namespace leitong {

/// Whole records.
struct ByteBatch final : Batch {
  PaddedBytes data;
  std::vector<std::uint32_t> ends;  ///< ends of records in data, if they are not simply the line feeds
};

/// Streams, addresses and copies byte ranges. Derived classes find the ends of records and what comes before
/// them.
class ByteFormat : public RecordFormat {
 public:
  using RecordFormat::RecordFormat;
  Result<std::unique_ptr<RecordStream>> open(const InputAccess& access, OpenedSource source) const final;
  [[nodiscard]] std::unique_ptr<KeptWriter> new_writer(const InputAccess& access,
                                                       const WriteBytes& write) const override;
  [[nodiscard]] bool has_byte_places() const noexcept final { return true; }

 protected:
  /// What comes before the records, by the first bytes after a byte order mark; null if nothing does.
  [[nodiscard]] virtual Result<std::unique_ptr<SourceHead>> read_head(std::string_view /*first_bytes*/,
                                                                      const FieldNames& /*names*/) const {
    return nullptr;
  }
  /// `head`: the result of read_head().
  [[nodiscard]] virtual std::unique_ptr<RecordScanner> new_scanner(const SourceHead* head) const = 0;
};

/// Only ASCII white space?
[[nodiscard]] inline bool is_blank_line(std::string_view line) noexcept {
  return line.find_first_not_of(" \t\r\v\f") == std::string_view::npos;
}
[[nodiscard]] std::uint64_t count_lines(std::string_view bytes) noexcept;

/// The common part of all parsers of such formats. `Fields` reads the fields of one record:
///   explicit Fields(const FieldNames&);
///   void read(const Source&, std::string_view record, RecordFields&);   kRecordPadding readable bytes follow
///                                                                       the record
///   static std::string_view trim(const Source&, std::string_view piece);  a record without its surroundings
/// and, if each record names its fields,
///   std::vector<std::string> field_names(std::string_view record, std::string_view path);
class ByteParserBase : public RecordParser {
 protected:
  explicit ByteParserBase(const InputAccess& access) : access_(access) {}

  /// Loads a file that is one document into `bytes_`, and sets its stamp. Returns why it cannot be a
  /// document, or an empty string. `counted`: false if it was read before.
  Result<std::string> load(std::uint32_t source, bool counted, FileStamp& stamp);
  /// Loads a record into `bytes_`.
  Result<void> fetch(const Place& place);
  /// Notes a file that load() cannot read, as a rejected record or as the batch's failure.
  void reject_file(Batch& batch, std::uint32_t index, Error error) const;
  [[nodiscard]] const Source& source(std::uint32_t number) const noexcept { return access_.sources[number]; }
  [[nodiscard]] TextPlace fault_in(std::string_view record) const noexcept {
    return fields_.fault == RecordFields::kNowhere ? TextPlace{1, 0} : place_of(record, fields_.fault);
  }
  [[nodiscard]] tl::unexpected<Error> changed(std::uint32_t source) const;

  const InputAccess& access_;
  RecordFields fields_;
  PaddedBytes bytes_;

 private:
  StoreCursor cursor_;
};

template <class Fields>
class ByteParser final : public ByteParserBase {
 public:
  explicit ByteParser(const InputAccess& access) : ByteParserBase(access), reader_(access.names) {}

  void parse(Batch& batch, const EachDocument& each) override {
    if (batch.files) return parse_files(batch, each);
    auto& bytes = static_cast<ByteBatch&>(batch);
    const std::string_view data = bytes.data.view();
    const Source& from = source(batch.source);
    if (bytes.ends.empty()) {
      for (std::size_t at = 0; at < data.size();) {
        const std::size_t feed = data.find('\n', at);
        const std::size_t end = feed == std::string_view::npos ? data.size() : feed + 1;
        if (const std::string_view line = Fields::trim(from, data.substr(at, end - at)); !is_blank_line(line))
          judge(bytes, from, line, each);
        ++bytes.lines;
        at = end;
      }
      return;
    }
    std::size_t at = 0;
    for (const std::size_t end : bytes.ends) {
      const std::string_view piece = data.substr(at, end - at);
      const std::string_view record = Fields::trim(from, piece);
      const std::size_t before =
          record.empty() ? piece.size() : static_cast<std::size_t>(record.data() - piece.data());
      bytes.lines += count_lines(piece.substr(0, before));
      if (!is_blank_line(record)) judge(bytes, from, record, each);
      bytes.lines += count_lines(piece.substr(before));
      at = end;
    }
  }

  Result<const RecordFields*> read(const Place& place) override {
    const Source& from = source(place.source);
    if (place.line == 0 && from.regular) {
      FileStamp stamp;
      const Result<std::string> refused = load(place.source, false, stamp);
      if (!refused || !refused->empty() || stamp != from.stamp) return changed(place.source);
    } else {
      LEITONG_TRY(fetch(place));
    }
    reader_.read(from, bytes_.view(), fields_);
    if (!fields_.problem.empty() || fields_.is_other) return changed(place.source);
    return &fields_;
  }

  Result<std::vector<std::string>> field_names(const Place& place, std::string_view path) override {
    std::vector<std::string> names;
    if constexpr (requires { reader_.field_names(path, path); }) {
      LEITONG_TRY(fetch(place));
      names = reader_.field_names(bytes_.view(), path);
    }
    return names;
  }

 private:
  void judge(ByteBatch& batch, const Source& from, std::string_view record, const EachDocument& each) {
    if (record.size() > access_.max_record_bytes) {
      batch.rejected.push_back(
          {batch.lines, 0, {}, too_large_message(record.size(), access_.max_record_bytes), false});
      return;
    }
    reader_.read(from, record, fields_);
    if (!fields_.problem.empty()) {
      if (fields_.problem.starts_with("invalid UTF-8") && !from.decoded && access_.names.encoding.empty() &&
          from.format->info().is_text())
        fields_.problem += encoding_hint(record);
      batch.rejected.push_back(
          {batch.lines, 0, std::string(fields_.id), fields_.problem, false, fault_in(record)});
      return;
    }
    if (fields_.is_other) {
      ++batch.other_records;
      return;
    }
    each({fields_.id, fields_.text});
    batch.accepted.push_back({fields_.id.empty() ? 0 : hash_id(fields_.id), 0,
                              static_cast<std::uint32_t>(record.data() - batch.data.data()),
                              static_cast<std::uint32_t>(record.size()),
                              static_cast<std::uint32_t>(batch.lines)});
  }

  void parse_files(Batch& batch, const EachDocument& each) {
    batch.stamps.resize(batch.source_count);
    for (std::uint32_t i = 0; i < batch.source_count; ++i) {
      Result<std::string> refused = load(batch.source + i, true, batch.stamps[i]);
      if (!refused) {
        reject_file(batch, i, std::move(refused).error());
        continue;
      }
      if (refused->empty()) {
        reader_.read(source(batch.source + i), bytes_.view(), fields_);
        *refused = fields_.problem;
      } else {
        fields_.fault = RecordFields::kNowhere;
      }
      if (!refused->empty()) {
        batch.rejected.push_back({0, i, {}, std::move(*refused), false, fault_in(bytes_.view())});
        continue;
      }
      each({fields_.id, fields_.text});
      batch.accepted.push_back({0, i, 0, static_cast<std::uint32_t>(bytes_.size()), 0});
    }
  }

  Fields reader_;
};

}  // namespace leitong
