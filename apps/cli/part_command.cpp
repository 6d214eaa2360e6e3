#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "leitong/spread.hpp"
#include "named_files.hpp"
#include "progress.hpp"
#include "run_flags.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

constexpr std::string_view kAroundStages = "Around a run", kStagesInOrder = "Stages, in their order";

struct PartFlags {
  SpreadJob job;
  std::string work, output;
  std::uint32_t part = 0;
  bool again = false;
  ContextSettings context;
};

void add_work(CLI::App& app, PartFlags& flags) {
  add_text(app, "--work", flags.work, "DIR",
           "the folder of the files that the parts exchange, which all machines see")
      .required();
}

Result<void> plan(const PartFlags& flags) {
  SpreadJob job = flags.job;
  LEITONG_TRY(expand_patterns(job.input.paths));
  job.work = flags.work;
  job.output = flags.output;
  LEITONG_TRY(
      check_outputs({{"--work", flags.work + "/"}, {"--output", flags.output + "/"}}, job.input.paths));
  return plan_spread(CommandContext(), job);
}

Result<void> list(const PartFlags& flags) {
  LEITONG_ASSIGN(const std::vector<SpreadStage> stages, spread_stages(CommandContext(), flags.work));
  std::string lines;
  for (const SpreadStage& stage : stages) lines += fmt::format("{} {}\n", stage.name, stage.parts);
  return print_data(lines);
}

Result<void> run(const PartFlags& flags, std::string_view stage) {
  ProgressDisplay display;
  const CommandContext context(with_progress(flags.context, display));
  LEITONG_ASSIGN(const bool done, run_part(context, flags.work, stage, flags.part, flags.again));
  if (!done) print_note(fmt::format("part {} of {} was done before", flags.part, stage));
  return {};
}

Run add_plan(CLI::App& app) {
  auto flags = std::make_shared<PartFlags>();
  add_settings(app, flags->job.input);
  add_settings(app, flags->job.settings,
               only({"measure", "threshold", "strict_match", "template_text", "marks", "keep", "remove",
                     "loss", "loss_run", "numbers"}));
  add_work(app, *flags);
  add_text(app, "--output", flags->output, "DIR",
           "the folder that gets kept/, removed/, pairs/ and quarantine/")
      .required();
  add_number(app, "--parts", flags->job.parts, "N", 1, 1 << 16,
             "the parts of each stage; an input is read by one part, so give as many inputs")
      .required();
  add_examples(app,
               "Examples:\n"
               "  leitong part plan crawl/ --work work --output out --parts 64");
  return [flags] { return plan(*flags); };
}

Run add_list(CLI::App& app) {
  auto flags = std::make_shared<PartFlags>();
  add_work(app, *flags);
  return [flags] { return list(*flags); };
}

Run add_stage(CLI::App& app, std::string_view stage) {
  auto flags = std::make_shared<PartFlags>();
  add_work(app, *flags);
  add_number(app, "--part", flags->part, "N", 0, 1 << 16, "the part, from 0");
  add_switch(app, "--again", flags->again, "do it even if it was done; the result is the same");
  add_settings(app, flags->context, all_but({"work_folder"}));
  return [flags, stage] { return run(*flags, stage); };
}

template <std::size_t number>
Run add_stage_of(CLI::App& app) {
  return add_stage(app, spread_stage_infos()[number].name);
}

template <std::size_t... numbers>
std::array<Command, 2 + sizeof...(numbers)> all_commands(std::index_sequence<numbers...>) {
  const auto infos = spread_stage_infos();
  return {Command{"plan", kAroundStages, "plan a run: its inputs, parts and settings", add_plan},
          Command{"list", kAroundStages, "print the stages in their order, each with the number of its parts",
                  add_list},
          Command{infos[numbers].name, kStagesInOrder, infos[numbers].summary, add_stage_of<numbers>}...};
}

}  // namespace

Run add_part(CLI::App& app) {
  static const auto kCommands = all_commands(std::make_index_sequence<12>());
  add_examples(
      app,
      "A run is planned once. Then its stages follow each other. The parts of a stage\n"
      "may run at the same time, on any machines that see the folder. A part that was\n"
      "killed is run again; one that is done is not repeated. The result is that of\n"
      "dedup.\n"
      "\n"
      "Examples:\n"
      "  leitong part plan crawl/ --work work --output out --parts 64\n"
      "  leitong part list --work work | while read -r stage parts; do\n"
      "    seq 0 $((parts - 1)) | xargs -P 8 -I{} leitong part \"$stage\" --work work --part {} || break\n"
      "  done");
  return add_nested(app, kCommands);
}

}  // namespace leitong::cli
