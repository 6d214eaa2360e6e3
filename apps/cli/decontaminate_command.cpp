#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "leitong/decontaminate.hpp"
#include "named_files.hpp"
#include "run_flags.hpp"
#include "run_note.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

struct DecontaminateFlags {
  DecontaminateJob job;
  const CLI::App* app = nullptr;  // of the command, for its command line
  ContextSettings context;
  bool allow_truncated = false, exit_code = false, json = false;
};

std::string to_json(const DecontaminateSummary& summary) {
  nlohmann::ordered_json json = {{"documents", summary.documents},
                                 {"leaking", summary.leaking},
                                 {"removed", summary.removed},
                                 {"cut", summary.cut},
                                 {"hits", summary.hits},
                                 {"leaks", summary.leaks},
                                 {"quarantined", summary.quarantined},
                                 {"items_quarantined", summary.items_quarantined}};
  json["benchmarks"] = nlohmann::ordered_json::array();
  for (const BenchmarkFigures& file : summary.benchmarks)
    json["benchmarks"].push_back({{"file", file.path},
                                  {"items", file.items},
                                  {"too_short", file.too_short},
                                  {"leaked", file.leaked},
                                  {"doubtful", file.doubtful},
                                  {"documents", file.documents}});
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// A table with a row for each file of the benchmark.
void print_table(const DecontaminateSummary& summary) {
  std::size_t width = 9;
  for (const BenchmarkFigures& file : summary.benchmarks) width = std::max(width, file.path.size());
  print_note(fmt::format("{:<{}}  {:>10}  {:>10}  {:>8}  {:>10}  {:>10}", "benchmark", width, "items",
                         "leaked", "share", "in doubt", "documents"));
  for (const BenchmarkFigures& file : summary.benchmarks)
    print_note(fmt::format("{:<{}}  {:>10}  {:>10}  {:>8}  {:>10}  {:>10}", file.path, width,
                           human_count(file.items), human_count(file.leaked),
                           human_share(static_cast<double>(file.leaked), static_cast<double>(file.items)),
                           human_count(file.doubtful), human_count(file.documents)));
  std::string done;
  if (summary.cut > 0) done += fmt::format("; {} written without these sentences", human_count(summary.cut));
  if (summary.removed > 0) done += fmt::format("; {} left out", human_count(summary.removed));
  print_note(fmt::format("{} of {} {} a leaked item{}", human_count(summary.leaking),
                         human_counted(summary.documents, "document"),
                         summary.leaking == 1 ? "holds" : "hold", done));
}

void print_warnings(const DecontaminateSummary& summary, const DecontaminateJob& job) {
  std::uint64_t too_short = 0;
  for (const BenchmarkFigures& file : summary.benchmarks) too_short += file.too_short;
  if (too_short > 0)
    print_warning(fmt::format(
        "{} too short to be looked for: less than {}", human_counted(too_short, "item is", "items are"),
        job.settings.ngram > 0 ? human_counted(job.settings.ngram, "word") : "8 characters or 4 shingles"));
  if (summary.items_quarantined > 0)
    print_warning("of the benchmark " +
                  left_out_warning(summary.items_quarantined, summary.first_item_quarantined));
  if (summary.quarantined > 0 && (is_quiet() || job.quarantine.empty()))
    print_warning(left_out_warning(summary.quarantined, summary.first_quarantined));
}

/// Is an item leaked?
Result<bool> decontaminate(const DecontaminateFlags& flags) {
  DecontaminateJob job = flags.job;
  LEITONG_ASSIGN(job.input, to_input(job.input));
  LEITONG_TRY(expand_patterns(job.against));
  job.command = command_line(*flags.app);
  job.date = date_of_run();
  std::vector<std::string> inputs = job.input.paths;
  inputs.insert(inputs.end(), job.against.begin(), job.against.end());
  std::vector<NamedOutput> outputs = {{"--output", job.kept},
                                      {"--hits", job.hits},
                                      {"--quarantine", job.quarantine},
                                      {"--report", job.report}};
  if (flags.json) outputs.push_back({"--json", "-"});
  std::erase_if(outputs, [](const NamedOutput& output) { return output.name.empty(); });
  LEITONG_TRY(check_outputs(outputs, inputs));
  DecontaminateSummary summary;
  {
    ProgressDisplay display;
    const CommandContext context(with_progress(flags.context, display));
    LEITONG_ASSIGN(summary, decontaminate_files(context, job));
  }
  if (flags.json) LEITONG_TRY(print_data(to_json(summary)));
  print_table(summary);
  print_warnings(summary, job);
  LEITONG_TRY(check_read(
      {summary.documents, summary.quarantined, summary.truncated_inputs, summary.first_quarantined},
      flags.allow_truncated));
  return summary.leaks > 0;
}

Result<int> decontaminate_command(const DecontaminateFlags& flags) {
  Result<bool> leaked = decontaminate(flags);
  if (!flags.exit_code) return leaked.map([](bool) { return kExitOk; });
  // Exit code 1 then has only one meaning, as in check.
  if (!leaked && exit_code_of(leaked.error().code) == kExitSeen)
    leaked.error().code = ErrorCode::invalid_argument;
  return leaked.map([](bool any) { return any ? kExitSeen : kExitOk; });
}

}  // namespace

Run add_decontaminate(CLI::App& app) {
  auto flags = std::make_shared<DecontaminateFlags>();
  flags->app = &app;
  add_settings(app, flags->job);
  add_switch(app, "--allow-truncated", flags->allow_truncated,
             "accept compressed input that is cut off or damaged, and use what can be read of it")
      .group("Input");
  add_switch(app, "--json", flags->json, "print the figures as one JSON object on standard output")
      .group("Output");
  add_switch(app, "--exit-code", flags->exit_code,
             "end with 1 if an item leaked and with 0 if none did; errors that otherwise end with 1, such as "
             "a missing input, end with 2")
      .group("Output");
  add_resource_flags(app, flags->context);
  add_examples(
      app,
      "An item is found if it stands in a document as it is, or edited: other white\n"
      "space, width, case, traditional characters, numbers, choices in another order.\n"
      "A hit is a leak; it is a doubt if no answer stands near, or if more documents\n"
      "than --common says hold the item.\n"
      "\n"
      "Examples:\n"
      "  leitong decontaminate train.jsonl.zst --against exams/ --hits hits.jsonl --report leaks.html\n"
      "  leitong decontaminate crawl/*.jsonl --against test.jsonl --against-fields question,answer \\\n"
      "    --action remove -o clean.jsonl\n"
      "  leitong decontaminate train.jsonl --against test.jsonl --ngram 13 --exit-code && echo clean");
  return [flags] { return decontaminate_command(*flags); };
}

}  // namespace leitong::cli
