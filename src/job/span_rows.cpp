#include "job/span_rows.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "leitong/json.hpp"
#include "leitong/utf8.hpp"

namespace leitong {
namespace {

std::vector<TableColumn> span_columns(bool kept, bool with_text) {
  using Type = TableColumn::Type;
  std::vector<TableColumn> columns = {{"id"},
                                      {"place"},
                                      {"begin", Type::integer},
                                      {"end", Type::integer},
                                      {"begin_character", Type::integer},
                                      {"end_character", Type::integer},
                                      {"units", Type::integer},
                                      {"documents", Type::integer}};
  if (kept) {
    columns.push_back({"kept_id"});
    columns.push_back({"kept_place"});
    columns.push_back({"kept_begin", Type::integer});
    columns.push_back({"kept_end", Type::integer});
  }
  if (with_text) columns.push_back({"text"});
  return columns;
}

/// A row, with what it says beside the cut itself.
struct SpanRow {
  const Cut& cut;
  std::size_t begin_character, end_character;
  std::string_view text;
  const TrimmedDocument::KeptPart* kept;
};

/// Calls each(row) for the cuts of a document.
template <class Each>
void for_each_span(const TrimmedDocument& document, const Each& each) {
  const std::string_view text = document.text;
  std::size_t characters = 0, counted = 0;  // in the first `counted` bytes
  for (std::size_t i = 0; i < document.cuts.size(); ++i) {
    const Cut& cut = document.cuts[i];
    const std::size_t begin = characters + count_characters(text.substr(counted, cut.bytes.begin - counted));
    const std::string_view lost = text.substr(cut.bytes.begin, cut.bytes.size());
    characters = begin + count_characters(lost);
    counted = cut.bytes.end;
    each(SpanRow{cut, begin, characters, lost, cut.kept ? &document.kept_parts[i] : nullptr});
  }
}

}  // namespace

std::string id_or_place(const Corpus& corpus, DocId document, const std::string& id) {
  return id.empty() ? corpus.place_name(document) : id;
}

Result<SpanRows> SpanRows::open(OutputFile& file, const TrimOutputs& names, KeptPart kept_part,
                                const Corpus& corpus) {
  const bool kept = kept_part == KeptPart::first;
  LEITONG_ASSIGN(RowFile rows, RowFile::open(file, names.spans, span_columns(kept, names.with_text)));
  SpanRows spans(std::move(rows), names.with_text, kept, corpus);
  spans.is_table_ = spans.rows_.table() != nullptr;
  return spans;
}

void SpanRows::describe(TrimmedDocument& document) const {
  if (is_table_ || document.cuts.empty()) return;
  const std::string id = json_string(id_or_place(*corpus_, document.document, document.id));
  const std::string place = json_string(corpus_->place_name(document.document));
  const auto out = std::back_inserter(document.spans);
  for_each_span(document, [&](const SpanRow& row) {
    fmt::format_to(
        out,
        "{{\"id\":{},\"place\":{},\"begin\":{},\"end\":{},\"begin_character\":{},\"end_character\":{},"
        "\"units\":{},\"documents\":{}",
        id, place, row.cut.bytes.begin, row.cut.bytes.end, row.begin_character, row.end_character,
        row.cut.units, row.cut.documents);
    if (row.kept != nullptr)
      fmt::format_to(out, ",\"kept_id\":{},\"kept_place\":{},\"kept_begin\":{},\"kept_end\":{}",
                     json_string(id_or_place(*corpus_, row.cut.kept->document, row.kept->id)),
                     json_string(corpus_->place_name(row.cut.kept->document)), row.kept->bytes.begin,
                     row.kept->bytes.end);
    if (with_text_) {
      document.spans += ",\"text\":";
      append_json_string(row.text, document.spans);
    }
    document.spans += "}\n";
  });
}

Result<void> SpanRows::write(const TrimmedDocument& document) {
  if (document.cuts.empty()) return {};
  if (!is_table_) {
    rows_.text() += document.spans;
    return rows_.end_row();
  }
  TableWriter& table = *rows_.table();
  std::string buffer;
  const auto put_text = [&](std::string_view text) { table.text(shown_text(text, buffer)); };
  const auto put_number = [&](std::uint64_t number) { table.integer(static_cast<std::int64_t>(number)); };
  const std::string id = id_or_place(*corpus_, document.document, document.id);
  const std::string place = corpus_->place_name(document.document);
  Result<void> result;
  for_each_span(document, [&](const SpanRow& row) {
    if (!result) return;
    put_text(id);
    put_text(place);
    for (const std::uint64_t number : {std::uint64_t{row.cut.bytes.begin}, std::uint64_t{row.cut.bytes.end},
                                       std::uint64_t{row.begin_character}, std::uint64_t{row.end_character},
                                       std::uint64_t{row.cut.units}, row.cut.documents})
      put_number(number);
    if (kept_) {
      put_text(id_or_place(*corpus_, row.cut.kept->document, row.kept->id));
      put_text(corpus_->place_name(row.cut.kept->document));
      put_number(row.kept->bytes.begin);
      put_number(row.kept->bytes.end);
    }
    if (with_text_) put_text(row.text);
    result = rows_.end_row();
  });
  return result;
}

}  // namespace leitong
