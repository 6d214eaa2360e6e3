#include "base/try.hpp"
#include "commands.hpp"
#include "dry_run.hpp"
#include "flags.hpp"
#include "loss_flags.hpp"
#include "run_flags.hpp"
#include "run_pipeline.hpp"

namespace leitong::cli {
namespace {

struct DedupFlags {
  RunFlags run;
  DedupOutputs outputs;
  LossFlags loss;
  std::string keep = "longest", source_field;
  bool json = false, dry_run = false;
};

Result<void> dedup(const DedupFlags& flags) {
  LEITONG_ASSIGN(DedupJob job, to_job(flags.run));
  job.outputs = flags.outputs;
  LEITONG_ASSIGN(job.settings.keep, parse_keep_policy(flags.keep));
  LEITONG_ASSIGN(const std::optional<LossLimits> limits, to_limits(flags.loss, flags.run.no_verify));
  if (limits) job.settings.remove = *limits;
  job.source_field = flags.source_field;
  std::vector<NamedOutput> outputs = named_outputs(job.outputs);
  if (flags.json) outputs.push_back({"--json", "-"});
  LEITONG_TRY(check_outputs(outputs, files_of(job)));
  if (flags.dry_run) return dry_run(flags.run, job, flags.json);
  if (outputs.empty())
    return fail(
        ErrorCode::invalid_argument,
        "nothing would be written; name what you want: -o FILE for the kept records (-o - for standard "
        "output), "
        "--removed FILE, --clusters FILE, --report FILE.html, --json for the figures alone, or --dry-run");
  return run_pipeline(flags.run, job, flags.json);
}

}  // namespace

Run add_dedup(CLI::App& app) {
  auto flags = std::make_shared<DedupFlags>();
  add_run_flags(app, flags->run);
  DedupOutputs& outputs = flags->outputs;
  add_text(
      app, "-o,--output", outputs.kept, "FILE",
      "the kept records, unchanged and in the order of the input; with -o DIR/ a new folder that has one "
      "file for each input file. For folders of documents: a list of the kept paths, or with -o DIR/ a new "
      "folder of links to the kept files")
      .group("Output");
  add_text(app, "--removed", outputs.removed, "FILE",
           "JSONL, or Parquet or Arrow by the name: each removed document, the kept document that it is "
           "similar to, the deciding measure "
           "and score, and what the kept document lacks of it")
      .group("Output");
  add_text(app, "--kept-similar", outputs.kept_similar, "FILE",
           "JSONL, or Parquet or Arrow by the name: each document that stays although it is similar to one "
           "that stays, with what it has of its own")
      .group("Output");
  add_text(app, "--clusters", outputs.clusters, "FILE",
           "TSV, or Parquet or Arrow by the name: id, cluster and the id of the document that is kept in its "
           "place. A cluster is a document with the documents that are similar to it")
      .group("Output");
  add_text(app, "--components", outputs.components, "FILE",
           "TSV, or Parquet or Arrow by the name: id and component. A component is all documents that "
           "similar pairs join, directly or by a "
           "chain of pairs")
      .group("Output");
  add_text(app, "--pairs", outputs.pairs, "FILE",
           "TSV, or Parquet or Arrow by the name: every similar pair with its scores, to be read by leitong "
           "cluster and leitong eval")
      .group("Output");
  add_templates_output(app, outputs.templates);
  add_text(app, "--quarantine", outputs.quarantine, "FILE",
           "JSONL: the records that could not be read, each with its place and the reason")
      .group("Output");
  add_text(app, "--report", outputs.report, "FILE.html",
           "one HTML page with the figures of the run and its evidence, both texts side by side. A reader "
           "can mark pairs as right or wrong and export the marks as gold labels")
      .group("Output");
  add_text(app, "--write-index", outputs.index, "DIR",
           "a new folder with an online index of the kept documents, which leitong check and "
           "--reference-index ask")
      .group("Output");
  add_source_field(app, flags->source_field);
  add_switch(app, "--json", flags->json, "print the figures of the run as one JSON object on standard output")
      .group("Output");
  add_switch(
      app, "--null", outputs.null_separated,
      "end each path in a list of kept files with a zero byte instead of a line feed, as find -print0 does")
      .group("Output");
  add_switch(app, "--copy", outputs.copy_files,
             "with -o DIR/: copy the kept files instead of making hard links")
      .group("Output");
  add_switch(app, "--force", outputs.force, "replace files that exist (a folder has to be new or empty)")
      .group("Output");
  add_switch(app, "--dry-run", flags->dry_run,
             "estimate from a sample what the run would do and need, and write nothing")
      .group("Output");
  add_text(app, "--keep", flags->keep, "POLICY",
           "which document of a cluster stays: longest, first, newest:FIELD, max:FIELD or source:PATH,PATH.. "
           "(longest)")
      .group("What stays");
  add_loss_flags(app, flags->loss, "What stays");
  add_examples(
      app,
      "Examples:\n"
      "  leitong dedup corpus.jsonl -o kept.jsonl\n"
      "  leitong dedup crawl/*.jsonl.zst -o kept.jsonl.zst --removed removed.jsonl --report report.html\n"
      "  leitong dedup articles/ -o unique/ --keep source:articles/edited/,articles/drafts/\n"
      "  leitong dedup new.jsonl --reference train.jsonl.gz -o fresh.jsonl\n"
      "  zcat dump.gz | leitong dedup - --text-field title,body -o - | gzip > kept.gz");
  return [flags] { return dedup(*flags); };
}

}  // namespace leitong::cli
