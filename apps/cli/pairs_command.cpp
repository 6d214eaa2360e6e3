#include "base/try.hpp"
#include "commands.hpp"
#include "run_flags.hpp"
#include "run_pipeline.hpp"

namespace leitong::cli {
namespace {

Result<void> pairs(const RunFlags& flags) {
  LEITONG_ASSIGN(DedupJob job, to_job(flags));
  job.decides = false;
  LEITONG_TRY(check_outputs({{"--output", job.outputs.pairs},
                             {"--report", job.outputs.report},
                             {"--report-texts", job.outputs.report_texts},
                             {"--templates", job.outputs.templates}},
                            files_of(job)));
  return run_pipeline(flags, job, false);
}

}  // namespace

Run add_pairs(CLI::App& app) {
  auto flags = std::make_shared<RunFlags>();
  DedupOutputs& outputs = flags->job.outputs;
  outputs.pairs = "-";
  add_run_flags(app, *flags);
  add_text(app, "-o,--output", outputs.pairs, "FILE",
           "TSV: both ids, the deciding measure and its score, Jaccard, containment, both document numbers "
           "and lengths; if templates do not count, the measures without them and the reason; if losses "
           "decide, the loss of either document (standard output)")
      .group("Output");
  add_settings(app, flags->job.settings.removal);
  add_settings(app, outputs, only({"report", "report_texts", "force"}));
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
