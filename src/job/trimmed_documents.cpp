#include "job/trimmed_documents.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "text/text_parts.hpp"
#include "text/unit_place.hpp"
#include "trim/cuttable_text.hpp"

namespace leitong {
namespace {

/// Documents that are in memory at once, unless their texts are large.
constexpr std::size_t kDocumentsAtOnce = 64;
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
  CuttableText cuttable;
  TrimmedDocument result;
};

TrimmedDocuments::TrimmedDocuments(const RunContext& run, const DocumentSource& source,
                                   const TrimSettings& settings, std::size_t least, PartGroups& groups,
                                   bool places, Describe describe)
    : run_(run),
      source_(source),
      settings_(settings),
      groups_(groups),
      places_(places && settings.kept_part == KeptPart::first),
      describe_(std::move(describe)),
      rule_(settings, least, groups.groups(), places_) {}

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
  const auto new_reader = [this] { return Reader{.scratch = source_.new_scratch()}; };
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
    if (result.removed) result.cut_bytes = result.text.size();
  }
  if (!places_ && !describe_) return {};
  return parallel_for_each(run_.stop, filled_, new_reader,
                           [&](std::size_t i, Reader& reader) -> Result<void> {
                             TrimmedDocument& document = items_[i]->result;
                             if (places_) LEITONG_TRY(find_kept_parts(document, reader));
                             if (describe_) describe_(document);
                             return {};
                           });
}

Result<void> TrimmedDocuments::prepare(Item& item, Reader& reader) const {
  // The first of their kind stay.
  if (settings_.kept_part == KeptPart::first && std::ranges::all_of(item.repeated, &RepeatedPart::first))
    return {};
  LEITONG_ASSIGN(const DocumentText document, source_.read(item.result.document, *reader.scratch));
  item.result.id = document.id;
  item.result.text = document.text;
  if (settings_.part == TextPart::passage)
    item.cuttable.set_borders(item.result.text);
  else
    item.cuttable.set_parts(item.result.text, settings_.part, item.repeated);
  return {};
}

Result<void> TrimmedDocuments::find_kept_parts(TrimmedDocument& document, Reader& reader) const {
  for (const Cut& cut : document.cuts) {
    if (reader.kept != cut.kept->document) {
      LEITONG_ASSIGN(const DocumentText kept, source_.read(cut.kept->document, *reader.scratch));
      reader.kept = cut.kept->document;
      reader.kept_id = kept.id;
      reader.kept_text = kept.text;
      if (settings_.part != TextPart::passage)
        split_parts(reader.kept_text, settings_.part, reader.kept_parts);
    }
    const std::size_t at = cut.kept->at;
    document.kept_parts.push_back(
        {reader.kept_id, settings_.part == TextPart::passage
                             ? place_of_units(reader.kept_text, at, at + cut.kept->count)
                             : reader.kept_parts[at]});
  }
  return {};
}

}  // namespace leitong
