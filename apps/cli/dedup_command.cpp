#include "base/try.hpp"
#include "commands.hpp"
#include "run_flags.hpp"
#include "run_pipeline.hpp"

namespace leitong::cli {
namespace {

struct DedupFlags : RunFlags {
  bool json = false, dry_run = false;
};

Result<void> dedup(const DedupFlags& flags) {
  LEITONG_ASSIGN(const DedupJob job, to_job(flags));
  std::vector<NamedOutput> outputs = named_outputs(job.outputs);
  if (flags.json) outputs.push_back({"--json", "-"});
  LEITONG_TRY(check_outputs(outputs, files_of(job)));
  if (flags.dry_run) return dry_run(flags, job, flags.json);
  if (outputs.empty())
    return fail(
        ErrorCode::invalid_argument,
        "nothing would be written; name what you want: -o FILE for the kept records (-o - for standard "
        "output), "
        "--removed FILE, --clusters FILE, --report FILE.html, --json for the figures alone, or --dry-run");
  return run_pipeline(flags, job, flags.json);
}

}  // namespace

Run add_dedup(CLI::App& app) {
  auto flags = std::make_shared<DedupFlags>();
  add_run_flags(app, *flags);
  add_settings(app, flags->job.outputs, all_but({"templates"}));
  add_settings(app, flags->job.settings, only({"keep", "remove", "loss", "loss_run", "numbers"}));
  add_settings(app, flags->job, only({"keep_each"}));
  add_switch(app, "--json", flags->json, "print the figures of the run as one JSON object on standard output")
      .group("Output");
  add_switch(app, "--dry-run", flags->dry_run,
             "estimate from a sample what the run would do and need, and write nothing")
      .group("Output");
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
