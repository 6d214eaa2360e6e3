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
  return write_file(kept_, names_.kept, corpus.is_archive(), nullptr,
                    [&](const WriteFile& write) { return corpus.copy_extended(fields, extend, write); });
}

Result<void> OutputSet::write_annotated(const Corpus& corpus, const IdTable& ids, const Outcome& outcome) {
  if (!annotated_) return {};
  Annotations annotations(outcome, ids);
  const Corpus::Extend extend = [&](DocId d) -> Result<Corpus::Extended> {
    return Corpus::Extended{.values = annotations.of(d)};
  };
  LEITONG_TRY(write_file(annotated_, names_.annotated, false, nullptr, [&](const WriteFile& write) {
    return corpus.copy_extended(annotation_fields(), extend, write);
  }));
  return {};
}

}  // namespace leitong
