// The outputs of records with added fields, and of records that are written several times (outputs.hpp).
#include "base/try.hpp"
#include "job/annotations.hpp"
#include "job/outputs.hpp"

namespace leitong {

Result<std::uint64_t> OutputSet::write_extended(const Corpus& corpus, const Outcome& outcome) {
  const ClusterSizes sizes(outcome);
  const std::vector<AddedField> fields = names_.add_fields ? size_field() : std::vector<AddedField>();
  AddedValue size;
  const Corpus::Extend extend = [&](DocId d) -> Result<Corpus::Extended> {
    if (!outcome.found.settlement.stays(d)) return Corpus::Extended{.times = 0};
    size = std::uint64_t{sizes[d]};
    return Corpus::Extended{
        .times = resampling_.times(sizes[d]),
        .values = names_.add_fields ? std::span(&size, 1) : std::span<const AddedValue>()};
  };
  if (!resampling_.empty())
    for (DocId d = corpus.reference_count(); d < corpus.size(); ++d)
      resampled_ += outcome.found.settlement.stays(d) ? resampling_.times(sizes[d]) : 0;
  if (kept_folder_)
    return write_kept_files(nullptr, [&](const BeginFile& begin, const WriteFile& write,
                                         const std::function<Result<void>()>& end) {
      return corpus.copy_extended_by_source(fields, extend, begin, write, end);
    });
  std::uint64_t bytes = 0;
  const bool is_archive = corpus.is_archive();
  LEITONG_TRY(corpus.copy_extended(fields, extend, [&](std::string_view part) -> Result<void> {
    bytes += part.size();
    LEITONG_TRY(kept_->write(part));
    return is_archive ? kept_->end_member() : Result<void>{};
  }));
  if (bytes == 0 && table_form_of_name(names_.kept)) kept_.reset();
  return bytes;
}

Result<void> OutputSet::write_annotated(const Corpus& corpus, const IdTable& ids, const Outcome& outcome) {
  if (!annotated_) return {};
  Annotations annotations(outcome, ids);
  std::uint64_t bytes = 0;
  LEITONG_TRY(corpus.copy_extended(
      annotation_fields(),
      [&](DocId d) -> Result<Corpus::Extended> { return Corpus::Extended{.values = annotations.of(d)}; },
      [&](std::string_view part) {
        bytes += part.size();
        return annotated_->write(part);
      }));
  // If no table could be read, there are no columns to write, and an empty file is no table.
  if (bytes == 0 && table_form_of_name(names_.annotated)) annotated_.reset();
  return {};
}

}  // namespace leitong
