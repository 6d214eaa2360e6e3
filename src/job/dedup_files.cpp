// The public face of a run over files (leitong/job.hpp).
#include "base/try.hpp"
#include "dedup/settings.hpp"
#include "job/estimate.hpp"
#include "job/index_reference.hpp"
#include "job/run.hpp"
#include "job/separate_outputs.hpp"
#include "job/vectors.hpp"

namespace leitong {
namespace {

Result<DedupOptions> to_options(const Context& context, const DedupJob& job) {
  DedupOptions options;
  LEITONG_TRY(check_no_index(job.input.paths));
  LEITONG_TRY(check_no_index(job.input.reference_paths));
  options.input = job.input;
  LEITONG_ASSIGN(options.find, find_options(job.settings));
  LEITONG_ASSIGN(options.input.given_references,
                 open_reference_indexes(job.reference_indexes, options.find, context));
  options.keep = job.settings.keep;
  if (options.keep.by == Keep::ranked)
    return fail(
        ErrorCode::invalid_argument,
        "documents of files have no ranks of the caller's; choose longest, first, newest, max or source");
  options.stages = job.resume_folder;
  options.outputs = job.outputs;
  options.decides = job.decides;
  options.source_field = job.source_field;
  options.site_field = job.site_field;
  options.vectors = job.vectors;
  if (job.settings.vectors.numbers != nullptr)
    return fail(ErrorCode::invalid_argument,
                "records of files have no vectors in memory; name a NumPy file or a field of the records");
  if (job.vectors.empty() != (job.settings.cosine == 0))
    return fail(ErrorCode::invalid_argument,
                job.vectors.empty()
                    ? "a cosine was asked for, and there are no vectors; name a NumPy file or a field"
                    : "vectors were named, and no cosine from which on two documents are similar; give both");
  return options;
}

Result<void> check_files(const DedupJob& job) {
  const DedupOutputs& outputs = job.outputs;
  std::vector<std::string> inputs = job.input.paths;
  if (is_vector_file(job.vectors)) inputs.push_back(job.vectors);
  inputs.insert(inputs.end(), job.input.reference_paths.begin(), job.input.reference_paths.end());
  inputs.insert(inputs.end(), job.reference_indexes.begin(), job.reference_indexes.end());
  return check_separate({{"the kept records", outputs.kept},
                         {"the removed documents", outputs.removed},
                         {"the similar documents that stay", outputs.kept_similar},
                         {"the clusters", outputs.clusters},
                         {"the components", outputs.components},
                         {"the pairs", outputs.pairs},
                         {"the templates", outputs.templates},
                         {"the quarantine", outputs.quarantine},
                         {"the report", outputs.report},
                         {"the index", outputs.index}},
                        inputs);
}

}  // namespace

Result<DedupSummary> dedup_files(const Context& context, const DedupJob& job) {
  LEITONG_TRY(check_files(job));
  LEITONG_ASSIGN(const DedupOptions options, to_options(context, job));
  return run_dedup(options, context);
}

Result<Estimate> estimate(const Context& context, const DedupJob& job) {
  LEITONG_ASSIGN(const DedupOptions options, to_options(context, job));
  return estimate_run(options, context);
}

}  // namespace leitong
