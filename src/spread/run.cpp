// The stages in their order, and a run of one part of one of them.
#include <fmt/core.h>

#include <array>
#include <chrono>
#include <system_error>

#include "base/try.hpp"
#include "io/output_file.hpp"
#include "io/run_context.hpp"
#include "leitong/settings.hpp"
#include "leitong/spread.hpp"
#include "spread/plan.hpp"
#include "spread/stages.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;
using spread::PartRun;
using spread::Plan;
using spread::Steps;

struct Stage {
  std::string_view name, summary;
  Result<void> (*run)(const PartRun&);
  bool in_parts = true;    // or there is only one
  bool templates = false;  // only where templates are looked for
};

constexpr std::array kStages = {
    Stage{"sketch", "read the records, and make sketches of the texts", spread::sketch},
    Stage{"join", "join the keys of texts, and find the pairs that share some", spread::join},
    Stage{"weigh", "find equal texts, and weigh the keys of each text", spread::weigh},
    Stage{"verify", "compare the likely pairs", spread::verify},
    Stage{"families", "link large families, whose texts share too common keys", spread::families, false},
    Stage{"complete", "compare the members of families with each other", spread::complete},
    Stage{"shingles", "find the texts that hold shingles in question", spread::shingles, true, true},
    Stage{"count", "count the families of each shingle", spread::count, true, true},
    Stage{"bare", "join families of texts that consist almost only of template", spread::bare, true, true},
    Stage{"mark", "count again, and mark the templates", spread::mark, true, true},
    Stage{"settle", "decide which texts stay", spread::settle},
    Stage{"keep", "write the kept records, the reasons of removals, and all pairs", spread::keep},
};

fs::path done_file(const Plan& plan, std::string_view stage, std::uint32_t part) {
  return plan.work / "done" / fmt::format("{}-{}", stage, part);
}

std::vector<const Stage*> stages_of(const Steps& steps) {
  std::vector<const Stage*> stages;
  for (const Stage& stage : kStages)
    if (!stage.templates || steps.looks_for_templates()) stages.push_back(&stage);
  return stages;
}

std::uint32_t parts_of(const Stage& stage, const Plan& plan) { return stage.in_parts ? plan.parts : 1; }

/// Fails unless all parts of all earlier stages are done.
Result<void> check_earlier(const Plan& plan, std::span<const Stage* const> stages, const Stage& wanted) {
  for (const Stage* const stage : stages) {
    if (stage == &wanted) return {};
    for (std::uint32_t part = 0; part < parts_of(*stage, plan); ++part) {
      std::error_code failed;
      if (!fs::exists(done_file(plan, stage->name, part), failed))
        return fail(ErrorCode::not_found,
                    fmt::format("part {} of {} has not been done, which comes before {}", part, stage->name,
                                wanted.name));
    }
  }
  return {};
}

}  // namespace

std::vector<SpreadStageInfo> spread_stage_infos() {
  std::vector<SpreadStageInfo> infos;
  for (const Stage& stage : kStages) infos.push_back({stage.name, stage.summary});
  return infos;
}

Result<void> check_spread(const DedupSettings& settings) {
  LEITONG_TRY(check_settings(settings));
  return Steps::open(settings).map([](const Steps&) {});
}

Result<void> plan_spread(const Context& context, const SpreadJob& job) {
  return spread::make_plan(context, job);
}

Result<std::vector<SpreadStage>> spread_stages(const Context& context, const fs::path& work) {
  LEITONG_ASSIGN(const Plan plan, spread::read_plan(context, work));
  LEITONG_ASSIGN(const Steps steps, Steps::open(plan.settings));
  std::vector<SpreadStage> stages;
  for (const Stage* const stage : stages_of(steps)) stages.push_back({stage->name, parts_of(*stage, plan)});
  return stages;
}

Result<bool> run_part(const Context& context, const fs::path& work, std::string_view name, std::uint32_t part,
                      bool again) {
  LEITONG_ASSIGN(const Plan plan, spread::read_plan(context, work));
  LEITONG_ASSIGN(const Steps steps, Steps::open(plan.settings));
  const std::vector<const Stage*> stages = stages_of(steps);
  const auto found = std::ranges::find(stages, name, [](const Stage* stage) { return stage->name; });
  if (found == stages.end())
    return fail(ErrorCode::invalid_argument,
                fmt::format("\"{}\" is no stage of this run; leitong part list shows them", name));
  const Stage& stage = **found;
  if (const std::uint32_t parts = parts_of(stage, plan); part >= parts)
    return fail(ErrorCode::invalid_argument,
                fmt::format("part {} of {}: its parts are 0 to {}", part, name, parts - 1));
  const fs::path done = done_file(plan, name, part);
  std::error_code failed;
  if (!again && fs::exists(done, failed)) return false;
  LEITONG_TRY(check_earlier(plan, stages, stage));

  const auto begin = std::chrono::steady_clock::now();
  LEITONG_TRY(stage.run({context, plan, steps, part}));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  fs::create_directories(done.parent_path(), failed);
  LEITONG_ASSIGN(const auto file, OutputFile::create(done, true, StopToken(context.state().stop)));
  LEITONG_TRY(file->write(fmt::format("{{\"seconds\": {:.3f}}}\n", seconds.count())));
  LEITONG_TRY(file->commit());
  return true;
}

}  // namespace leitong
