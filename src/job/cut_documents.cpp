#include "job/cut_documents.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "text/unit_place.hpp"

namespace leitong {

/// A thread's means of reading.
struct CutDocuments::Reader {
  std::unique_ptr<ReadScratch> scratch;
  // The document that was read last for what stays in it.
  DocId kept = kNoDocument;
  std::string kept_id, kept_text;
  std::vector<ByteRange> kept_parts;  // as kept_bytes() leaves them
};

struct CutDocuments::Item {
  CuttableText cuttable;
  TrimmedDocument result;
};

CutDocuments::CutDocuments(const RunContext& run, const DocumentSource& source, const TrimSettings& settings,
                           Places places, Describe describe)
    : settings_(settings),
      run_(run),
      source_(source),
      kept_parts_(places == Places::parts && settings.kept_part == KeptPart::first),
      describe_(std::move(describe)) {}

CutDocuments::~CutDocuments() = default;

CutDocuments::Reader CutDocuments::new_reader() const { return {.scratch = source_.new_scratch()}; }

Result<const TrimmedDocument*> CutDocuments::next() {
  if (taken_ == filled_) LEITONG_TRY(fill());
  if (taken_ == filled_) return nullptr;
  return &items_[taken_++]->result;
}

Result<void> CutDocuments::fill() {
  taken_ = 0;
  LEITONG_ASSIGN(filled_, begin_block());
  while (items_.size() < filled_) items_.push_back(std::make_unique<Item>());
  LEITONG_TRY(parallel_for_each(
      run_.stop, filled_, [this] { return new_reader(); },
      [&](std::size_t i, Reader& reader) { return read(i, reader); }));
  for (std::size_t i = 0; i < filled_; ++i) {
    Item& item = *items_[i];
    TrimmedDocument& result = item.result;
    result.removed = decide(i, item.cuttable, result.cuts);
    result.units = result.units_left = item.cuttable.units();
    for (const Cut& cut : result.cuts) {
      result.units_left -= cut.units;
      result.cut_bytes += cut.bytes.size();
    }
    if (result.removed) result.cut_bytes = result.text.size();
  }
  if (kept_parts_) LEITONG_TRY(find_kept_parts());
  if (!describe_) return {};
  return parallel_for_each(run_.stop, filled_, [&](std::size_t i) -> Result<void> {
    describe_(items_[i]->result);
    return {};
  });
}

Result<void> CutDocuments::read(std::size_t i, Reader& reader) {
  Item& item = *items_[i];
  item.result = {.document = document_of(i)};
  if (!is_read(i)) return {};
  LEITONG_ASSIGN(const DocumentText document, source_.read(item.result.document, *reader.scratch));
  item.result.id = document.id;
  item.result.text = document.text;
  prepare(i, item.result, item.cuttable);
  return {};
}

ByteRange CutDocuments::kept_bytes(const KeptPlaceOfPart& kept, const std::string& text,
                                   std::vector<ByteRange>& /*parts*/) const {
  return place_of_units(text, kept.at, std::size_t{kept.at} + kept.count);
}

Result<void> CutDocuments::find_kept_parts() {
  struct Wanted {
    const Cut* cut;
    TrimmedDocument::KeptPart* part;
  };
  std::vector<Wanted> wanted;
  for (std::size_t i = 0; i < filled_; ++i) {
    TrimmedDocument& document = items_[i]->result;
    document.kept_parts.resize(document.cuts.size());
    for (std::size_t k = 0; k < document.cuts.size(); ++k)
      if (document.cuts[k].kept) wanted.push_back({&document.cuts[k], &document.kept_parts[k]});
  }
  // By the documents that stay, so that each of them is read once.
  std::ranges::stable_sort(wanted, {}, [](const Wanted& each) { return each.cut->kept->document; });
  return parallel_for_each(
      run_.stop, wanted.size(), [this] { return new_reader(); },
      [&](std::size_t i, Reader& reader) -> Result<void> {
        const KeptPlaceOfPart& place = *wanted[i].cut->kept;
        if (reader.kept != place.document) {
          LEITONG_ASSIGN(const DocumentText kept, source_.read(place.document, *reader.scratch));
          reader.kept = place.document;
          reader.kept_id = kept.id;
          reader.kept_text = kept.text;
          reader.kept_parts.clear();
        }
        *wanted[i].part = {reader.kept_id, kept_bytes(place, reader.kept_text, reader.kept_parts)};
        return {};
      });
}

}  // namespace leitong
