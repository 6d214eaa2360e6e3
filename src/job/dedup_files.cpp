// The public functions for a run over files (leitong/job.hpp).
#include <fmt/core.h>

#include "base/try.hpp"
#include "dedup/find_options.hpp"
#include "io/compression.hpp"
#include "job/base_text.hpp"
#include "job/groups.hpp"
#include "job/index_reference.hpp"
#include "job/resampling.hpp"
#include "job/run.hpp"
#include "job/separate_outputs.hpp"
#include "job/vectors.hpp"
#include "leitong/settings.hpp"

namespace leitong {
namespace {

/// A checked job, and the values derived from it.
struct Prepared {
  InputOptions input;
  FindOptions find;
};

Result<Prepared> prepare(const Context& context, const DedupJob& job) {
  LEITONG_TRY(check_settings(job));
  LEITONG_TRY(check_groups(job));
  LEITONG_TRY(check_no_index(job.input.paths));
  LEITONG_TRY(check_no_index(job.input.reference_paths));
  Prepared prepared{job.input, {}};
  LEITONG_ASSIGN(prepared.find, find_options(job.settings));
  LEITONG_ASSIGN(prepared.find.base, read_base(context, job.input, job.base, prepared.find.folding));
  LEITONG_ASSIGN(prepared.input.given_references,
                 open_reference_indexes(job.reference_indexes, prepared.find, context));
  if (job.settings.keep.by == Keep::ranked)
    return fail(
        ErrorCode::invalid_argument,
        "documents of files have no ranks of the caller's; choose longest, shortest, first, covering, "
        "newest, oldest, max, min or source",
        "keep");
  if (job.settings.vectors.numbers != nullptr)
    return fail(ErrorCode::invalid_argument,
                "records of files have no vectors in memory; name a NumPy file or a field of the records",
                "vectors");
  const TextGroups& groups = job.settings.groups;
  if (!groups.within.empty() || !groups.across.empty() || !groups.keep_each.empty())
    return fail(ErrorCode::invalid_argument,
                "records of files have no groups in memory; name fields of the records");
  return prepared;
}

Result<void> check_files(const DedupJob& job) {
  const DedupOutputs& outputs = job.outputs;
  if (!outputs.restorable.empty() && outputs.kept.empty())
    return fail(
        ErrorCode::invalid_argument,
        "the restorable file holds what the kept records lack; name a file for the kept records, too");
  if (compression_of_name(outputs.restorable) != Compression::none)
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: the restorable file is packed already and can't be compressed; name it {}",
                            outputs.restorable, without_compression_ending(outputs.restorable)));
  if (compression_of_name(outputs.report_texts) != Compression::none)
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: the page reads single pairs of the texts of the report, which can't be "
                            "compressed; name it {}",
                            outputs.report_texts, without_compression_ending(outputs.report_texts)));
  LEITONG_TRY(Resampling::parse(outputs.resample));
  std::vector<std::string> inputs = job.input.paths;
  if (is_vector_file(job.vectors)) inputs.push_back(job.vectors);
  inputs.insert(inputs.end(), job.input.reference_paths.begin(), job.input.reference_paths.end());
  inputs.insert(inputs.end(), job.base.begin(), job.base.end());
  inputs.insert(inputs.end(), job.reference_indexes.begin(), job.reference_indexes.end());
  return check_separate({{"the kept records", outputs.kept},
                         {"the removed documents", outputs.removed},
                         {"the similar documents that stay", outputs.kept_similar},
                         {"the clusters", outputs.clusters},
                         {"the components", outputs.components},
                         {"the pairs", outputs.pairs},
                         {"the templates", outputs.templates},
                         {"the annotated records", outputs.annotated},
                         {"the quarantine", outputs.quarantine},
                         {"the report", outputs.report},
                         {"the texts of the report", outputs.report_texts},
                         {"the restorable file", outputs.restorable},
                         {"the index", outputs.index}},
                        inputs);
}

}  // namespace

Result<DedupSummary> dedup_files(const Context& context, const DedupJob& job) {
  LEITONG_TRY(check_files(job));
  LEITONG_ASSIGN(Prepared prepared, prepare(context, job));
  return run_dedup(job, std::move(prepared.input), prepared.find, context);
}

Result<Estimate> estimate(const Context& context, const DedupJob& job) {
  LEITONG_ASSIGN(const Prepared prepared, prepare(context, job));
  return estimate_run(prepared.input, prepared.find, context);
}

}  // namespace leitong
