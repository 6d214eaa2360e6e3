#include "job/cut_documents.hpp"

#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"

namespace leitong {

/// A thread's means of reading.
struct CutDocuments::Reader {
  std::unique_ptr<ReadScratch> scratch;
  // The document that stays for the last cut.
  DocId kept = kNoDocument;
  std::string kept_id, kept_text;
  std::vector<ByteRange> kept_parts;  // as kept_bytes() leaves them
};

struct CutDocuments::Item {
  CuttableText cuttable;
  TrimmedDocument result;
};

CutDocuments::CutDocuments(const RunContext& run, const DocumentSource& source, bool kept_parts,
                           Describe describe)
    : run_(run), source_(source), kept_parts_(kept_parts), describe_(std::move(describe)) {}

CutDocuments::~CutDocuments() = default;

Result<const TrimmedDocument*> CutDocuments::next() {
  if (taken_ == filled_) LEITONG_TRY(fill());
  if (taken_ == filled_) return nullptr;
  return &items_[taken_++]->result;
}

Result<void> CutDocuments::fill() {
  taken_ = 0;
  LEITONG_ASSIGN(filled_, begin_block());
  while (items_.size() < filled_) items_.push_back(std::make_unique<Item>());
  const auto new_reader = [this] { return Reader{.scratch = source_.new_scratch()}; };
  LEITONG_TRY(parallel_for_each(run_.stop, filled_, new_reader,
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
  if (!kept_parts_ && !describe_) return {};
  return parallel_for_each(run_.stop, filled_, new_reader,
                           [&](std::size_t i, Reader& reader) -> Result<void> {
                             TrimmedDocument& document = items_[i]->result;
                             if (kept_parts_) LEITONG_TRY(find_kept_parts(document, reader));
                             if (describe_) describe_(document);
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

Result<void> CutDocuments::find_kept_parts(TrimmedDocument& document, Reader& reader) const {
  for (const Cut& cut : document.cuts) {
    if (!cut.kept) {
      document.kept_parts.emplace_back();
      continue;
    }
    if (reader.kept != cut.kept->document) {
      LEITONG_ASSIGN(const DocumentText kept, source_.read(cut.kept->document, *reader.scratch));
      reader.kept = cut.kept->document;
      reader.kept_id = kept.id;
      reader.kept_text = kept.text;
      reader.kept_parts.clear();
    }
    document.kept_parts.push_back(
        {reader.kept_id, kept_bytes(*cut.kept, reader.kept_text, reader.kept_parts)});
  }
  return {};
}

}  // namespace leitong
