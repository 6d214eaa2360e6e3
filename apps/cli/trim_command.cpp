#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "leitong/trim.hpp"
#include "named_files.hpp"
#include "run_flags.hpp"
#include "run_note.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

struct TrimFlags {
  TrimJob job;
  const CLI::App* app = nullptr;  // of the command, for its command line
  ContextSettings context;
  bool allow_truncated = false, json = false, dry_run = false;
};

std::string to_json(const TrimSummary& summary) {
  return nlohmann::ordered_json{{"records", summary.documents + summary.quarantined},
                                {"documents", summary.documents},
                                {"kept", summary.kept},
                                {"removed", summary.removed},
                                {"changed", summary.changed},
                                {"quarantined", summary.quarantined},
                                {"cuts", summary.cuts},
                                {"repeated_parts", summary.parts},
                                {"text_bytes", summary.text_bytes},
                                {"cut_bytes", summary.cut_bytes},
                                {"seconds", summary.seconds}}
             .dump() +
         "\n";
}

void print_figures(const TrimSummary& summary, bool dry_run) {
  const auto bytes = static_cast<double>(summary.text_bytes);
  print_note(fmt::format("{} {}: {} of their text in {}", dry_run ? "would cut out of" : "cut out of",
                         human_counted(summary.documents, "document"),
                         human_share(static_cast<double>(summary.cut_bytes), bytes),
                         human_counted(summary.cuts, "piece")));
  print_note(fmt::format("{} unchanged, {} shorter, {} removed since too little was left",
                         human_count(summary.kept - summary.changed), human_count(summary.changed),
                         human_count(summary.removed)));
  print_note(fmt::format("{} of text in {}, {}/s", human_bytes(bytes), human_seconds(summary.seconds),
                         human_bytes(summary.seconds > 0 ? bytes / summary.seconds : 0)));
}

Result<void> trim(const TrimFlags& flags) {
  TrimJob job = flags.job;
  LEITONG_ASSIGN(job.input, to_input(std::move(job.input)));
  job.command = command_line(*flags.app);
  job.date = date_of_run();
  TrimOutputs& names = job.outputs;
  std::vector<NamedOutput> outputs = {{"--output", names.trimmed},        {"--spans", names.spans},
                                      {"--removed", names.too_short},     {"--quarantine", names.quarantine},
                                      {"--restorable", names.restorable}, {"--report", names.report}};
  if (flags.json) outputs.push_back({"--json", "-"});
  LEITONG_TRY(check_outputs(outputs, job.input.paths));
  if (flags.dry_run)
    names = {};
  else if (!flags.json && names.trimmed.empty() && names.spans.empty() && names.too_short.empty() &&
           names.report.empty())
    return fail(
        ErrorCode::invalid_argument,
        "nothing would be written; name what you want: -o FILE for the trimmed records (-o - for standard "
        "output), --spans FILE, --report FILE.html, --json for the figures alone, or --dry-run");
  TrimSummary summary;
  {
    ProgressDisplay display;
    const CommandContext context(with_progress(flags.context, display));
    LEITONG_ASSIGN(summary, trim_files(context, job));
  }
  if (flags.json) LEITONG_TRY(print_data(to_json(summary)));
  print_figures(summary, flags.dry_run);
  if (summary.quarantined > 0 && (is_quiet() || names.quarantine.empty()))
    print_warning(left_out_warning(summary.quarantined, summary.first_quarantined));
  return check_read(
      {summary.documents, summary.quarantined, summary.truncated_inputs, summary.first_quarantined},
      flags.allow_truncated);
}

}  // namespace

Run add_trim(CLI::App& app) {
  auto flags = std::make_shared<TrimFlags>();
  flags->app = &app;
  add_settings(app, flags->job);
  add_switch(app, "--json", flags->json, "print the figures of the run as one JSON object on standard output")
      .group("Output");
  add_switch(app, "--dry-run", flags->dry_run, "only tell how much would be cut, and write nothing")
      .group("Output");
  add_switch(app, "--allow-truncated", flags->allow_truncated,
             "accept compressed input that is cut off or damaged, and use what can be read of it")
      .group("Input");
  add_settings(app, flags->context);
  add_examples(app,
               "Records of JSONL, CSV, TSV, Parquet and Arrow, and lines of text are written\n"
               "again: the text field lacks the cut text, and nothing else changes.\n"
               "\n"
               "With --part passage no run of --least units stands twice in the output, as\n"
               "long as no cut lies within it, and all cut text still stands elsewhere.\n"
               "\n"
               "Examples:\n"
               "  leitong trim pages.jsonl -o trimmed.jsonl --part line --documents 6 --keep none\n"
               "  leitong trim pages.jsonl --part sentence --report report.html\n"
               "  leitong trim pages.jsonl -o trimmed.jsonl.zst --part passage --spans spans.jsonl\n"
               "  leitong trim books.jsonl --part sentence --least 20 --dry-run");
  return [flags] { return trim(*flags); };
}

}  // namespace leitong::cli
