#include "base/try.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "loss_flags.hpp"
#include "run_flags.hpp"
#include "run_pipeline.hpp"

namespace leitong::cli {
namespace {

struct PairsFlags {
  RunFlags run;
  LossFlags loss;
  std::string output = "-", report, source_field, templates;
  bool force = false;
};

Result<void> pairs(const PairsFlags& flags) {
  LEITONG_ASSIGN(DedupJob job, to_job(flags.run));
  job.decides = false;
  // Where losses are to decide who leaves, the file holds them.
  LEITONG_ASSIGN(const std::optional<LossLimits> limits, to_limits(flags.loss, flags.run.no_verify));
  if (limits) job.settings.remove = *limits;
  job.outputs.pairs = flags.output;
  job.outputs.report = flags.report;
  job.outputs.templates = flags.templates;
  job.source_field = flags.source_field;
  job.outputs.force = flags.force;
  LEITONG_TRY(check_outputs(
      {{"--output", flags.output}, {"--report", flags.report}, {"--templates", flags.templates}},
      files_of(job)));
  return run_pipeline(flags.run, job, false);
}

}  // namespace

Run add_pairs(CLI::App& app) {
  auto flags = std::make_shared<PairsFlags>();
  add_run_flags(app, flags->run);
  add_text(app, "-o,--output", flags->output, "FILE",
           "TSV: both ids, the deciding measure and its score, Jaccard, containment, both document numbers, "
           "both lengths, where templates do not count what is left without them and the reason, and where "
           "losses decide the loss of either document (standard output)")
      .group("Output");
  add_text(app, "--report", flags->report, "FILE.html",
           "one HTML page that shows the pairs, with both texts side by side")
      .group("Output");
  add_loss_flags(app, flags->loss, "What stays");
  add_templates_output(app, flags->templates);
  add_source_field(app, flags->source_field);
  add_switch(app, "--force", flags->force, "replace an output that exists").group("Output");
  add_examples(app,
               "Examples:\n"
               "  leitong pairs corpus.jsonl -o pairs.tsv.zst\n"
               "  leitong pairs essays/ -o pairs.tsv --report report.html\n"
               "  leitong pairs essays/ --preset reuse -o reuse.tsv --report reuse.html\n"
               "  leitong pairs articles/ --threshold 0.8 | sort -t $'\\t' -k 4,4nr | head\n"
               "  leitong pairs corpus.jsonl | leitong eval --gold gold.tsv --pairs -");
  return [flags] { return pairs(*flags); };
}

}  // namespace leitong::cli
