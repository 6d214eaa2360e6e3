#include "run_pipeline.hpp"

#include "base/try.hpp"
#include "command_context.hpp"
#include "progress.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

// The stages of a run. The weights are medians of the corpora of the benchmarks.
constexpr PlannedStage kStages[] = {{"reading", 1},
                                    {"matching", .2},
                                    {"verifying", .4},
                                    {"counting templates", .3},
                                    {"marking templates", .1},
                                    {"deciding by templates", .2},
                                    {"clustering", .1},
                                    {"weighing losses", .3},
                                    {"writing", .2}};

Result<DedupSummary> run_with_progress(const RunFlags& flags, const DedupJob& job) {
  ProgressDisplay display(kStages);
  return dedup_files(CommandContext(with_progress(flags.context, display)), job);
}

}  // namespace

Result<void> run_pipeline(const RunFlags& flags, const DedupJob& job, bool json) {
  LEITONG_ASSIGN(const DedupSummary summary, run_with_progress(flags, job));
  std::string text = flags.verbose ? full_summary_text(summary, job) : summary_text(summary, job);
  text.pop_back();
  print_note(text);
  for (const std::string& warning : summary_warnings(summary, job)) print_warning(warning);
  if (json) LEITONG_TRY(print_data(to_json(summary, job) + "\n"));
  return check_read(
      {summary.documents, summary.quarantined, summary.truncated_inputs, summary.first_quarantined},
      flags.allow_truncated);
}

}  // namespace leitong::cli
