#include "corpus/extended_copy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "base/try.hpp"
#include "corpus/source_list.hpp"

namespace leitong {
namespace {

bool is_document_file(const Source& source) {
  return source.format == nullptr || source.format->info().one_document_a_file;
}

/// Has the source records that can be copied? Nothing is known of one that could not be opened.
bool has_records(const Source& source) {
  return !source.reference && !is_document_file(source) &&
         (!source.format->info().is_table || source.head != nullptr);
}

Result<std::unique_ptr<KeptWriter>> extending_writer(const InputAccess& access, const RecordFormat& format,
                                                     const std::vector<AddedField>& fields,
                                                     const WriteBytes& write) {
  std::unique_ptr<KeptWriter> writer = format.new_writer(access, write);
  if (!fields.empty()) LEITONG_TRY(writer->extend(format, fields));
  return writer;
}

/// Writes the records of documents from `document` on that are of its source. Returns the next document.
Result<DocId> write_source(const Source& source, const PlaceTable& places, DocId document, bool has_fields,
                           const Corpus::Extend& extend, KeptWriter& writer) {
  const std::uint32_t number = places[document].source;
  const auto add = [&](DocId d, const Corpus::Extended& record) {
    return has_fields ? writer.add_extended(places[d], record.values) : writer.add(places[d]);
  };
  const DocId first = document;
  std::uint32_t most = 0;
  for (; document < places.size() && places[document].source == number; ++document) {
    LEITONG_ASSIGN(const Corpus::Extended record, extend(document));
    most = std::max(most, record.times);
    // Rows of typed columns can only be copied in their order, so that repetitions need a reading of their
    // own.
    const std::uint32_t now = source.format->info().is_table ? std::min(record.times, 1U) : record.times;
    for (std::uint32_t time = 0; time < now; ++time) LEITONG_TRY(add(document, record));
  }
  if (!source.format->info().is_table) return document;
  for (std::uint32_t time = 1; time < most; ++time) {
    LEITONG_TRY(writer.begin(number));
    for (DocId d = first; d < document; ++d) {
      LEITONG_ASSIGN(const Corpus::Extended record, extend(d));
      if (record.times > time) LEITONG_TRY(add(d, record));
    }
  }
  return document;
}

}  // namespace

Result<void> check_extended(const InputAccess& access, const PlaceTable& places, DocId first,
                            const std::vector<AddedField>& fields) {
  if (fields.empty()) return {};
  const WriteBytes nowhere = [](std::string_view) { return Result<void>{}; };
  const std::vector<AddedValue> nulls(fields.size());
  for (std::uint32_t i = 0; i < access.sources.size(); ++i) {
    const Source& source = access.sources[i];
    if (source.reference || source.format == nullptr) continue;
    const FormatInfo& info = source.format->info();
    if (!info.is_table && source.format->new_appender(fields) == nullptr)
      return fail(
          ErrorCode::unsupported,
          fmt::format("{}: {} can't carry added fields; records of JSONL, CSV, TSV, Parquet and Arrow "
                      "can",
                      access.sources.path(i),
                      info.one_document_a_file ? std::string("a file that is one document")
                                               : fmt::format("{} records", info.name)));
  }
  DocId document = first;
  for (std::uint32_t i = 0; i < access.sources.size(); ++i) {
    const Source& source = access.sources[i];
    if (!has_records(source)) continue;
    LEITONG_ASSIGN(const auto writer, extending_writer(access, *source.format, fields, nowhere));
    LEITONG_TRY(writer->begin(i));
    // The header of a table tells its columns; only JSON names the fields of each record.
    const bool by_record =
        !source.format->info().is_table && (source.head == nullptr || !source.head->is_table);
    for (; document < places.size() && places[document].source <= i; ++document)
      if (by_record && places[document].source == i)
        LEITONG_TRY(writer->add_extended(places[document], nulls));
  }
  return {};
}

Result<void> copy_extended_records(const InputAccess& access, const PlaceTable& places, DocId first,
                                   const RecordFormat& format, const std::vector<AddedField>& fields,
                                   const Corpus::Extend& extend, const WriteBytes& write) {
  LEITONG_ASSIGN(const auto writer, extending_writer(access, format, fields, write));
  for (DocId document = first; document < places.size();) {
    LEITONG_ASSIGN(document, write_source(access.sources[places[document].source], places, document,
                                          !fields.empty(), extend, *writer));
  }
  return writer->finish();
}

Result<void> copy_extended_sources(const InputAccess& access, const PlaceTable& places, DocId first,
                                   const std::vector<AddedField>& fields, const Corpus::Extend& extend,
                                   const std::function<Result<void>(std::string_view, bool)>& begin,
                                   const WriteBytes& write, const std::function<Result<void>()>& end) {
  DocId document = first;
  for (std::uint32_t i = 0; i < access.sources.size(); ++i) {
    const Source& source = access.sources[i];
    if (!has_records(source)) continue;
    LEITONG_TRY(begin(access.sources.path(i), source.format->info().is_archive));
    LEITONG_ASSIGN(const auto writer, extending_writer(access, *source.format, fields, write));
    LEITONG_TRY(writer->begin(i));
    if (document < places.size() && places[document].source == i) {
      LEITONG_ASSIGN(document, write_source(source, places, document, !fields.empty(), extend, *writer));
    }
    LEITONG_TRY(writer->finish());
    LEITONG_TRY(end());
  }
  return {};
}

}  // namespace leitong
