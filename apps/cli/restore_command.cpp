#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "leitong/restore.hpp"
#include "named_files.hpp"
#include "progress.hpp"
#include "run_flags.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

struct RestoreFlags {
  std::vector<std::string> files;
  RestoreJob job;
  ContextSettings context;
};

Result<void> restore(RestoreFlags& flags) {
  if (flags.files.size() != 2)
    return fail(
        ErrorCode::invalid_argument,
        "name two files: the kept records, and what leitong dedup or trim has written to --restorable");
  RestoreJob& job = flags.job;
  job.kept = flags.files[0];
  job.restorable = flags.files[1];
  LEITONG_TRY(check_outputs({{"--output", job.output}}, flags.files));
  RestoreSummary summary;
  {
    ProgressDisplay display;
    const CommandContext context(with_progress(flags.context, display));
    LEITONG_ASSIGN(summary, restore_files(context, job));
  }
  if (job.id.empty())
    print_note(fmt::format("{} restored, and {} in {}", human_counted(summary.files, "file"),
                           human_counted(summary.records, "removed record"),
                           summary.files == 1 ? "it" : "them"));
  for (const RestoreSummary::Lost& lost : summary.lost)
    print_warning(
        fmt::format("{}: not all of it is there, since it could not be read then: {}", lost.path, lost.why));
  return {};
}

}  // namespace

Run add_restore(CLI::App& app) {
  auto flags = std::make_shared<RestoreFlags>();
  add_arguments(
      app, "FILES", flags->files,
      "KEPT RESTORABLE: what leitong dedup or trim has written to -o (a file, also compressed; a list of "
      "paths; a folder) and to --restorable");
  add_text(app, "-o,--output", flags->job.output, "FILE",
           "the restored file, compressed by its name (-: standard output); with -o DIR/ a new folder that "
           "has all files of the input, by their paths")
      .required();
  add_text(app, "--id", flags->job.id, "ID",
           "restore only the removed record of this id, or place (file:line) if it has no id");
  add_switch(app, "--force", flags->job.force,
             "replace a file that exists (a folder has to be new or empty)");
  add_resource_flags(app, flags->context);
  add_examples(app,
               "The input of the run comes back byte for byte and in its order, with headers,\n"
               "blank lines and the records that were quarantined. Of input that was\n"
               "compressed, or in another encoding than UTF-8, the unpacked text comes back in\n"
               "UTF-8, compressed again by the name of the output; files that are one document\n"
               "each come back unchanged. Of Parquet and Arrow files the same rows come back.\n"
               "Every byte is checked, and the output appears when it is complete.\n"
               "\n"
               "Examples:\n"
               "  leitong dedup docs.jsonl -o kept.jsonl --restorable removed.restorable\n"
               "  leitong restore kept.jsonl removed.restorable -o again.jsonl\n"
               "  leitong restore kept.jsonl removed.restorable --id doc-17 -o -");
  return [flags] { return restore(*flags); };
}

}  // namespace leitong::cli
