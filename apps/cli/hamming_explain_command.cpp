#include <fmt/core.h>

#include "base/try.hpp"
#include "commands.hpp"
#include "fingerprint_flags.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "index/hamming/join/join.hpp"
#include "index/hamming/join/planner.hpp"
#include "io/run_context.hpp"
#include "named_files.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

using namespace hamming;

struct ExplainFlags {
  std::string fingerprints, plan;
  FingerprintFlags input;
  ContextSettings context;
  std::uint64_t size = 0;
  unsigned distance = 3;
  bool measure = false;
};

std::string seconds(double value) {
  return value < 10 ? fmt::format("{:.3g} s", value) : human_seconds(value);
}

std::string cost_row(const PlanCost& cost, double size) {
  return fmt::format("{:<14} {:>6} {:>12.4g} {:>7} {:>10} {:>10} {:>10} {:>10}\n", cost.plan, cost.tables,
                     cost.compared / std::max(size, 1.0), cost.passes, seconds(cost.move_seconds),
                     seconds(cost.compare_seconds), seconds(cost.row_seconds), seconds(cost.seconds()));
}

template <Fingerprint F>
Result<void> measure(const Source<F>& source, const ExplainFlags& flags, const Context& context) {
  JoinOptions options;
  options.distance = flags.distance;
  options.plan = flags.plan;
  options.memory = flags.context.memory;
  LEITONG_ASSIGN(const Joined joined, join(JoinInput<F>{source}, options, context));
  const JoinFigures& figures = joined.figures();
  return print_data(fmt::format(
      "\nmeasured: plan {}, {:.4g} compared a fingerprint, {} edges; tables {}, rows {}\n", figures.plan,
      static_cast<double>(figures.compare.compared) /
          static_cast<double>(std::max<std::uint64_t>(source.size(), 1)),
      human_count(figures.edges), seconds(figures.table_seconds), seconds(figures.bind_seconds)));
}

template <Fingerprint F>
Result<void> explain(const ExplainFlags& flags, const Context& context) {
  const auto distance = flags.distance;
  auto size = flags.size;
  Sample<F> sample = uniform_sample<F>();
  FingerprintFile<F> file;
  std::optional<SchemeId> scheme;
  if (!flags.fingerprints.empty()) {
    LEITONG_ASSIGN(file, read_fingerprints<F>(flags.fingerprints, flags.input));
    LEITONG_ASSIGN(sample, take_sample(JoinInput<F>{*file.source}));
    if (size == 0) size = file.source->size();
    LEITONG_ASSIGN(scheme, scheme_of_fingerprints(flags.fingerprints));
  }
  LEITONG_ASSIGN(const std::uint64_t room, room_for_tables<F>(size, 0, flags.context.memory));
  std::vector<PlanCost> costs = plan_costs(size, distance, room, sample, simd_level());
  if (!flags.plan.empty()) {
    LEITONG_TRY(named_plan<F>(flags.plan, distance));
    std::erase_if(costs, [&](const PlanCost& cost) { return cost.plan != flags.plan; });
  }
  std::string out =
      scheme_line(scheme) +
      fmt::format(
          "{} fingerprints of {} bits, distance {}, {}, {} kernels; room for {} at once\n"
          "Seconds of one core; {}.\n\n"
          "{:<14} {:>6} {:>12} {:>7} {:>10} {:>10} {:>10} {:>10}\n",
          human_count(size), kBits<F>, distance,
          flags.context.memory == 0 ? "any memory" : human_bytes(static_cast<double>(flags.context.memory)),
          simd_name(simd_level()), human_count(room),
          flags.fingerprints.empty()
              ? "for uniform fingerprints"
              : fmt::format("bucket sizes from {} sampled fingerprints", human_count(sample.values.size())),
          "plan", "tables", "compared/fp", "passes", "move", "compare", "rows", "in all");
  constexpr std::size_t kShown = 12;
  for (std::size_t i = 0; i < std::min(costs.size(), kShown); ++i)
    out += cost_row(costs[i], static_cast<double>(size));
  LEITONG_TRY(print_data(out));
  return flags.measure ? measure(*file.source, flags, context) : Result<void>{};
}

Result<void> explain_command(ExplainFlags& flags) {
  if (flags.size == 0) LEITONG_TRY(default_to_standard_input(flags.fingerprints));
  if (flags.measure && flags.fingerprints.empty())
    return fail(ErrorCode::invalid_argument, "--measure runs the join, and needs a file of fingerprints");
  const CommandContext context(flags.context);
  return on_threads(context, [&] {
    return flags.input.wide() ? explain<Fingerprint128>(flags, context)
                              : explain<Fingerprint64>(flags, context);
  });
}

}  // namespace

Run add_hamming_explain(CLI::App& app) {
  auto flags = std::make_shared<ExplainFlags>();
  add_text(app, "FPS", flags->fingerprints, "FILE",
           "fingerprints whose distribution the prediction takes into account (standard input; with -n: "
           "evenly distributed ones)");
  add_number(app, "-n,--size", flags->size, "N", 1, 1'000'000'000'000'000,
             "the number of fingerprints to predict for, such as 1e9 (as many as FPS has)");
  add_number(app, "-k,--distance", flags->distance, "K", 0, kMaxDistance,
             "the most bits in which two fingerprints may differ (3)");
  add_text(app, "--plan", flags->plan, "NAME", "show this plan only");
  add_switch(app, "--measure", flags->measure, "also run the join of FPS, and show how long it took");
  add_fingerprint_flags(app, flags->input);
  add_hamming_resources(app, flags->context);
  add_examples(app,
               "The plans are listed in the order of their predicted cost, and a join takes the\n"
               "first. The prediction is for one core of the machine that docs/hamming.md names.\n"
               "\n"
               "Examples:\n"
               "  leitong hamming explain -n 1e9 -k 3 --memory 24G\n"
               "  leitong hamming explain crawl.u64 -k 3 --measure");
  return [flags] { return explain_command(*flags); };
}

}  // namespace leitong::cli
