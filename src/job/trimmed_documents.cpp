#include "job/trimmed_documents.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "text/text_parts.hpp"

namespace leitong {
namespace {

/// Repeated parts of the documents that are in memory at once, which grow with their texts.
constexpr std::size_t kTrimmedAtOnce = std::size_t{1} << 20;

}  // namespace

TrimmedDocuments::TrimmedDocuments(const RunContext& run, const DocumentSource& source,
                                   const TrimSettings& settings, std::size_t least, PartGroups& groups,
                                   Places places, Describe describe)
    : CutDocuments(run, source, settings, places, std::move(describe)),
      groups_(groups),
      rule_(settings, least, groups.groups(), places != Places::none) {}

Result<std::size_t> TrimmedDocuments::begin_block() {
  while (parts_done_ == parts_.size() && block_ < PartGroups::blocks()) {
    LEITONG_TRY(groups_.take(block_++, parts_));
    parts_done_ = 0;
  }
  repeated_.clear();
  const std::size_t first_part = parts_done_;
  while (parts_done_ < parts_.size() && repeated_.size() < kDocumentsAtOnce &&
         parts_done_ - first_part < kTrimmedAtOnce) {
    std::size_t end = parts_done_;
    while (end < parts_.size() && parts_[end].document == parts_[parts_done_].document) ++end;
    repeated_.push_back(std::span(parts_).subspan(parts_done_, end - parts_done_));
    parts_done_ = end;
  }
  return repeated_.size();
}

bool TrimmedDocuments::is_read(std::size_t i) const {
  // The first of their kind stay.
  return settings_.kept_part != KeptPart::first || !std::ranges::all_of(repeated_[i], &RepeatedPart::first);
}

void TrimmedDocuments::prepare(std::size_t i, const TrimmedDocument& document, CuttableText& cuttable) {
  if (settings_.part == TextPart::passage)
    cuttable.set_borders(document.text);
  else
    cuttable.set_parts(document.text, settings_.part, repeated_[i]);
}

ByteRange TrimmedDocuments::kept_bytes(const KeptPlaceOfPart& kept, const std::string& text,
                                       std::vector<ByteRange>& parts) const {
  if (settings_.part == TextPart::passage) return CutDocuments::kept_bytes(kept, text, parts);
  if (parts.empty()) split_parts(text, settings_.part, parts);
  return parts[kept.at];
}

}  // namespace leitong
