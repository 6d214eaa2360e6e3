#include "job/trimmed_documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "base/json_string.hpp"
#include "base/parallel.hpp"
#include "base/try.hpp"
#include "base/utf8.hpp"
#include "text/text_parts.hpp"
#include "text/unit_place.hpp"
#include "trim/cuttable_text.hpp"

namespace leitong {
namespace {

/// Documents that are in memory at once, unless their texts are large.
constexpr std::size_t kDocumentsAtOnce = 512;
/// Their repeated parts, which grow with their texts.
constexpr std::size_t kPartsAtOnce = std::size_t{1} << 20;

}  // namespace

/// A thread's means of reading.
struct TrimmedDocuments::Reader {
  std::unique_ptr<ReadScratch> scratch;
  // The document that stays for the last cut.
  DocId kept = kNoDocument;
  std::string kept_id, kept_text;
  std::vector<ByteRange> kept_parts;
};

struct TrimmedDocuments::Item {
  std::span<const RepeatedPart> repeated;
  std::string id, text;
  CuttableText cuttable;
  TrimmedDocument result;
};

TrimmedDocuments::TrimmedDocuments(const RunContext& run, const Corpus& corpus, const TrimJob& job,
                                   std::size_t least, PartGroups& groups)
    : run_(run),
      corpus_(corpus),
      job_(job),
      least_(least),
      groups_(groups),
      rule_(job.settings, least, groups.groups(),
            !job.outputs.spans.empty() && job.settings.kept_part == KeptPart::first) {}

TrimmedDocuments::~TrimmedDocuments() = default;

Result<const TrimmedDocument*> TrimmedDocuments::next() {
  if (taken_ == filled_) LEITONG_TRY(fill());
  if (taken_ == filled_) return nullptr;
  return &items_[taken_++]->result;
}

Result<void> TrimmedDocuments::fill() {
  filled_ = taken_ = 0;
  while (parts_done_ == parts_.size() && block_ < PartGroups::blocks()) {
    LEITONG_TRY(groups_.take(block_++, parts_));
    parts_done_ = 0;
  }
  const std::size_t first_part = parts_done_;
  while (parts_done_ < parts_.size() && filled_ < kDocumentsAtOnce &&
         parts_done_ - first_part < kPartsAtOnce) {
    std::size_t end = parts_done_;
    while (end < parts_.size() && parts_[end].document == parts_[parts_done_].document) ++end;
    if (filled_ == items_.size()) items_.push_back(std::make_unique<Item>());
    Item& item = *items_[filled_++];
    item.repeated = std::span(parts_).subspan(parts_done_, end - parts_done_);
    item.result = {.document = parts_[parts_done_].document};
    parts_done_ = end;
  }
  const auto new_reader = [this] { return Reader{.scratch = corpus_.new_scratch()}; };
  LEITONG_TRY(parallel_for_each(run_.stop, filled_, new_reader,
                                [&](std::size_t i, Reader& reader) { return prepare(*items_[i], reader); }));
  for (std::size_t i = 0; i < filled_; ++i) {
    Item& item = *items_[i];
    TrimmedDocument& result = item.result;
    result.removed = rule_.decide(item.repeated, item.cuttable, result.cuts);
    result.units = result.units_left = item.cuttable.units();
    for (const Cut& cut : result.cuts) {
      result.units_left -= cut.units;
      result.cut_bytes += cut.bytes.size();
    }
    if (result.removed) result.cut_bytes = item.text.size();
  }
  if (job_.outputs.spans.empty() && job_.outputs.too_short.empty()) return {};
  return parallel_for_each(run_.stop, filled_, new_reader,
                           [&](std::size_t i, Reader& reader) { return write_rows(*items_[i], reader); });
}

Result<void> TrimmedDocuments::prepare(Item& item, Reader& reader) const {
  // The first of their kind stay.
  if (job_.settings.kept_part == KeptPart::first && std::ranges::all_of(item.repeated, &RepeatedPart::first))
    return {};
  LEITONG_ASSIGN(const DocumentText document, corpus_.read(item.result.document, *reader.scratch));
  item.id = document.id.empty() ? corpus_.place_name(item.result.document) : std::string(document.id);
  item.text = document.text;
  if (job_.settings.part == TextPart::passage)
    item.cuttable.set_borders(item.text);
  else
    item.cuttable.set_parts(item.text, job_.settings.part, item.repeated);
  return {};
}

Result<void> TrimmedDocuments::write_rows(Item& item, Reader& reader) const {
  TrimmedDocument& result = item.result;
  if (!job_.outputs.spans.empty()) {
    std::size_t characters = 0, counted = 0;  // in the first `counted` bytes
    for (const Cut& cut : result.cuts)
      LEITONG_TRY(append_span(cut, item, reader, characters, counted, result.spans));
  }
  if (result.removed && !job_.outputs.too_short.empty())
    result.removed_row =
        fmt::format("{{\"id\":{},\"place\":{},\"units\":{},\"units_left\":{}}}\n", json_string(item.id),
                    json_string(corpus_.place_name(result.document)), result.units, result.units_left);
  return {};
}

Result<void> TrimmedDocuments::append_span(const Cut& cut, const Item& item, Reader& reader,
                                           std::size_t& characters, std::size_t& counted,
                                           std::string& out) const {
  const std::string_view text = item.text;
  const std::size_t begin = characters + count_characters(text.substr(counted, cut.bytes.begin - counted));
  const std::string_view lost = text.substr(cut.bytes.begin, cut.bytes.size());
  characters = begin + count_characters(lost);
  counted = cut.bytes.end;
  fmt::format_to(
      std::back_inserter(out),
      "{{\"id\":{},\"place\":{},\"begin\":{},\"end\":{},\"begin_character\":{},\"end_character\":{},"
      "\"units\":{},\"documents\":{}",
      json_string(item.id), json_string(corpus_.place_name(item.result.document)), cut.bytes.begin,
      cut.bytes.end, begin, characters, cut.units, cut.documents);
  if (cut.kept) {
    if (reader.kept != cut.kept->document) {
      LEITONG_ASSIGN(const DocumentText kept, corpus_.read(cut.kept->document, *reader.scratch));
      reader.kept = cut.kept->document;
      reader.kept_id = kept.id.empty() ? corpus_.place_name(reader.kept) : std::string(kept.id);
      reader.kept_text = kept.text;
      if (job_.settings.part != TextPart::passage)
        split_parts(reader.kept_text, job_.settings.part, reader.kept_parts);
    }
    const std::size_t at = cut.kept->at;
    const ByteRange kept = job_.settings.part == TextPart::passage
                               ? place_of_units(reader.kept_text, at, at + cut.kept->count)
                               : reader.kept_parts[at];
    fmt::format_to(
        std::back_inserter(out), ",\"kept_id\":{},\"kept_place\":{},\"kept_begin\":{},\"kept_end\":{}",
        json_string(reader.kept_id), json_string(corpus_.place_name(reader.kept)), kept.begin, kept.end);
  }
  if (job_.outputs.with_text) {
    out += ",\"text\":";
    append_json_string(lost, out);
  }
  out += "}\n";
  return {};
}

}  // namespace leitong
