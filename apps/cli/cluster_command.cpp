#include <fmt/core.h>

#include <algorithm>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "human.hpp"
#include "job/recluster.hpp"
#include "named_files.hpp"
#include "run_flags.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

struct ClusterFlags {
  std::string pairs, measure, keep = "longest";
  DedupOutputs outputs;
  double threshold = 0;
  std::uint64_t reference = 0;
  RemovalSettings removal;
  std::vector<Flag> removal_flags;
};

Result<void> cluster(ClusterFlags& flags) {
  const DedupOutputs& outputs = flags.outputs;
  if (named_outputs(outputs).empty())
    return fail(ErrorCode::invalid_argument,
                "nothing would be written; name what you want: --removed FILE, --clusters FILE, "
                "--components FILE (- for standard output) or --report FILE.html");
  LEITONG_TRY(default_to_standard_input(flags.pairs));
  LEITONG_TRY(check_outputs(named_outputs(outputs), {flags.pairs}));
  ReclusterOptions options{flags.pairs, {}, flags.threshold, Keep::longest, flags.reference};
  LEITONG_ASSIGN(const KeepPolicy keep, parse_keep_policy(flags.keep));
  options.keep = keep.by;
  if (std::ranges::any_of(flags.removal_flags, &Flag::given)) options.remove = limits_of(flags.removal);
  if (flags.removal.numbers == Numbers::masked) options.numbers = NumberUnits::masked;
  if (!flags.measure.empty())
    options.measure = {flags.measure.ends_with("containment") ? Measure::containment : Measure::jaccard,
                       flags.measure.starts_with("own_")};
  const CommandContext context;
  LEITONG_ASSIGN(const Reclustered result, recluster(options, context));
  const StoredPairs& stored = result.stored;
  if (stored.rows > 0 && flags.threshold < static_cast<double>(stored.least))
    print_warning(fmt::format(
        "the least value in {} is {:.4g}: pairs below it were never stored, so a threshold of {} finds no "
        "more of them; make the pairs anew with it",
        flags.pairs, stored.least, flags.threshold));
  LEITONG_TRY(write_reclustered(options, result, outputs, context));
  print_note(fmt::format(
      "{} of {} reach {}, and {}: {} removed{}, {}, {}", human_count(stored.pairs.size()),
      human_counted(stored.rows, "pair"), flags.threshold,
      human_counted(stored.copies.size(), "copy", "copies"), human_count(result.removed),
      result.settlement.by_losses() ? fmt::format(", {} more similar and kept", human_count(result.relatives))
                                    : "",
      human_counted(result.clusters, "cluster"), human_counted(result.components, "component")));
  return {};
}

}  // namespace

Run add_cluster(CLI::App& app) {
  auto flags = std::make_shared<ClusterFlags>();
  add_text(app, "PAIRS", flags->pairs, "FILE",
           "a file of leitong pairs or leitong dedup --pairs (standard input)");
  add_number(app, "--threshold", flags->threshold, "T", 0, 1, "leave out pairs whose score is below T")
      .required();
  add_text(app, "--measure", flags->measure, "jaccard|containment|own_jaccard|own_containment",
           "the measure that --threshold applies to (for each pair the one that decided it)");
  add_text(app, "--keep", flags->keep, "longest|first|covering",
           "which document of a cluster stays (longest); covering is the one that covers most text of those "
           "that may leave for it");
  add_number(app, "--reference", flags->reference, "N", 0, UINT32_MAX,
             "the first N documents are references and are never removed; leitong dedup --json prints N as "
             "\"reference\"");
  flags->removal_flags = add_settings(app, flags->removal);
  add_settings(app, flags->outputs, only({"removed", "clusters", "components", "report", "force"}));
  add_examples(
      app,
      "Examples:\n"
      "  leitong pairs corpus.jsonl -o pairs.tsv\n"
      "  leitong cluster pairs.tsv --threshold 0.8 --clusters clusters.tsv\n"
      "  leitong cluster pairs.tsv --threshold 0.5 --measure jaccard --clusters - | leitong eval --gold "
      "gold.tsv --clusters -");
  return [flags] { return cluster(*flags); };
}

}  // namespace leitong::cli
