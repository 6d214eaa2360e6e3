#include <fmt/core.h>

#include "base/try.hpp"
#include "check_outputs.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "job/recluster.hpp"
#include "loss_flags.hpp"
#include "standard_input.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

struct ClusterFlags {
  std::string pairs, measure, keep = "longest";
  ReclusterOutputs outputs;
  double threshold = 0;
  std::uint64_t reference = 0;
  LossFlags loss;
};

Result<void> cluster(ClusterFlags& flags) {
  const ReclusterOutputs& outputs = flags.outputs;
  if (outputs.removed.empty() && outputs.clusters.empty() && outputs.components.empty() &&
      outputs.report.empty())
    return fail(ErrorCode::invalid_argument,
                "nothing would be written; name what you want: --removed FILE, --clusters FILE, "
                "--components FILE (- for standard output) or --report FILE.html");
  LEITONG_TRY(default_to_standard_input(flags.pairs));
  LEITONG_TRY(check_outputs({{"--removed", outputs.removed},
                             {"--clusters", outputs.clusters},
                             {"--components", outputs.components},
                             {"--report", outputs.report}},
                            {flags.pairs}));
  ReclusterOptions options{flags.pairs, {}, flags.threshold, flags.keep == "longest", flags.reference};
  LEITONG_ASSIGN(options.remove, to_limits(flags.loss, false));
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
  add_choice(app, "--measure", flags->measure, {"jaccard", "containment", "own_jaccard", "own_containment"},
             "the measure that --threshold applies to (for each pair the one that decided it)");
  add_choice(app, "--keep", flags->keep, {"longest", "first"}, "which document of a cluster stays (longest)");
  add_loss_flags(app, flags->loss, "");
  add_whole(app, "--reference", flags->reference, "N", 0, UINT32_MAX,
            "the first N documents are references and are never removed; leitong dedup --json prints N as "
            "\"reference\"");
  add_text(app, "--removed", flags->outputs.removed, "FILE",
           "JSONL, or Parquet or Arrow by the name: each removed document, the kept document that it is "
           "similar to, and the deciding measure "
           "and score, and the reason where the file of pairs has one; without place and method");
  add_text(
      app, "--clusters", flags->outputs.clusters, "FILE",
      "TSV, or Parquet or Arrow by the name: id, cluster, and where losses decide the id of the document "
      "that is kept in its place. A cluster is a document with the documents that are similar to it");
  add_text(app, "--components", flags->outputs.components, "FILE",
           "TSV, or Parquet or Arrow by the name: id and component. A component is all documents that "
           "similar pairs join, directly or by a "
           "chain of pairs");
  add_text(
      app, "--report", flags->outputs.report, "FILE.html",
      "one HTML page with the figures, ids and margins; it shows no texts, since a file of pairs holds none");
  add_switch(app, "--force", flags->outputs.force, "replace outputs that exist");
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
