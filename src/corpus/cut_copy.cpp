#include "corpus/cut_copy.hpp"

#include <fmt/core.h>

#include <memory>
#include <span>
#include <string>

#include "base/try.hpp"
#include "corpus/source_list.hpp"

namespace leitong {
namespace {

bool is_whole_document(const Source& source) {
  return source.format == nullptr || source.format->info().one_document_a_file;
}

Result<void> check_source(const InputAccess& access, std::uint32_t number) {
  const Source& source = access.sources[number];
  const bool whole_file = is_whole_document(source);
  if (!whole_file && source.format->info().is_table) {
    if (source.head == nullptr) return {};
    // The schema tells whether the texts can be changed.
    const WriteBytes nowhere = [](std::string_view) { return Result<void>{}; };
    const std::unique_ptr<KeptWriter> writer = source.format->new_writer(access, nowhere);
    LEITONG_TRY(writer->prepare_cuts(*source.format));
    return writer->begin(number);
  }
  if (!whole_file && source.format->new_cutter(access) != nullptr) return {};
  const std::string_view why = whole_file ? std::string_view() : source.format->info().why_uncut;
  return fail(
      ErrorCode::unsupported,
      fmt::format("{}: {} can't be written again with a changed text{}{}; records of JSONL, CSV, TSV, "
                  "Parquet, Arrow and lines can",
                  access.sources.path(number),
                  whole_file ? std::string("a file that is one document")
                             : fmt::format("{} records", source.format->info().name),
                  why.empty() ? "" : ", since ", why));
}

Result<void> copy_record(const PlaceTable& places, DocId document, const Corpus::CutRecord& cut,
                         KeptWriter& writer, const Corpus::CutPlaced& placed) {
  LEITONG_ASSIGN(const Corpus::RecordCut record, cut(document));
  if (!record.keep) return {};
  const bool whole = record.cuts.empty();
  std::span<const TextEdit> edits;
  LEITONG_TRY(whole ? writer.add(places[document]) : writer.add_cut(places[document], record.cuts, edits));
  if (!placed) return {};
  KeptPlace there = writer.last();
  // A row of a table has no bytes of its own, so that nothing tells how to undo its cuts.
  if (!whole && edits.empty()) there.unchanged = false;
  return placed(document, there, edits);
}

}  // namespace

Result<void> check_cut(const InputAccess& access, const PlaceTable& places, DocId first) {
  Result<void> result;
  places.each_source(first, [&](std::uint32_t number) {
    if (result) result = check_source(access, number);
  });
  return result;
}

Result<void> copy_cut_records(const InputAccess& access, const PlaceTable& places, DocId first,
                              const RecordFormat& format, const Corpus::CutRecord& cut,
                              const WriteBytes& write, const Corpus::CutPlaced& placed) {
  const std::unique_ptr<KeptWriter> writer = format.new_writer(access, write);
  LEITONG_TRY(writer->prepare_cuts(format));
  for (DocId document = first; document < places.size(); ++document)
    LEITONG_TRY(copy_record(places, document, cut, *writer, placed));
  return writer->finish();
}

Result<void> copy_cut_sources(const InputAccess& access, const PlaceTable& places, DocId first,
                              const Corpus::CutRecord& cut,
                              const std::function<Result<void>(std::string_view, bool)>& begin,
                              const WriteBytes& write, const Corpus::CutPlaced& placed,
                              const std::function<Result<void>()>& end) {
  DocId document = first;
  for (std::uint32_t i = 0; i < access.sources.size(); ++i) {
    const Source& source = access.sources[i];
    // Nothing is known of a table that could not be opened.
    if (source.reference || is_whole_document(source) ||
        (source.format->info().is_table && source.head == nullptr))
      continue;
    LEITONG_TRY(begin(access.sources.path(i), source.format->info().is_archive));
    const std::unique_ptr<KeptWriter> writer = source.format->new_writer(access, write);
    // A source without documents may be of a format whose texts can't be changed.
    if (document < places.size() && places[document].source == i)
      LEITONG_TRY(writer->prepare_cuts(*source.format));
    LEITONG_TRY(writer->begin(i));
    for (; document < places.size() && places[document].source == i; ++document)
      LEITONG_TRY(copy_record(places, document, cut, *writer, placed));
    LEITONG_TRY(writer->finish());
    LEITONG_TRY(end());
  }
  return {};
}

}  // namespace leitong
