#include "run_pipeline.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/try.hpp"
#include "command_context.hpp"
#include "human.hpp"
#include "leitong/job.hpp"
#include "progress.hpp"
#include "run_flags.hpp"
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

namespace {

std::string estimate_text(const Estimate& estimate, const DedupJob& job, bool limited) {
  const std::string about = estimate.whole ? "" : "about ";
  std::string out;
  const auto row = [&](std::string_view label, const std::string& text) {
    out += fmt::format("{:<12} {}\n", label, text);
  };
  const bool unknown = estimate.input_bytes == 0 && !estimate.whole;
  const std::uint64_t bytes = estimate.input_bytes > 0 ? estimate.input_bytes : estimate.sampled_bytes;
  row("input", unknown ? "a pipe, of unknown size" : human_bytes(static_cast<double>(bytes)));
  row("sample", estimate.whole
                    ? "all of it"
                    : fmt::format("{}, {}", human_bytes(static_cast<double>(estimate.sampled_bytes)),
                                  human_counted(estimate.sampled_documents, "document")));
  if (unknown) row("", "what follows is about the sample alone, which is gone from the pipe");
  row("documents", about + human_count(estimate.documents));
  row("quarantined",
      fmt::format(
          "{} in the sample{}", human_count(estimate.sampled_quarantined),
          job.input.strict && estimate.sampled_quarantined > 0 ? "; --strict would stop at the first" : ""));
  row("removed",
      fmt::format("{}{:.1f} % of the documents", estimate.whole ? "" : "at least ", 100 * estimate.removed));
  row("time", fmt::format("about {}, and writing", human_seconds(estimate.seconds)));
  row("memory", fmt::format("at most {}{}", human_bytes(static_cast<double>(estimate.memory)),
                            limited ? " (--memory)" : ""));
  return out;
}

std::string estimate_json(const Estimate& estimate, const DedupJob& job) {
  nlohmann::ordered_json object;
  object["dry_run"] = true;
  object["input_bytes"] = estimate.input_bytes;
  object["sampled_bytes"] = estimate.sampled_bytes;
  object["sampled_documents"] = estimate.sampled_documents;
  object["sampled_quarantined"] = estimate.sampled_quarantined;
  object["whole"] = estimate.whole;
  object["documents"] = estimate.documents;
  object["removed_share"] = estimate.removed;
  object["seconds"] = estimate.seconds;
  object["memory"] = estimate.memory;
  for (const auto& [flag, name] : named_outputs(job.outputs))
    object["would_write"][std::string(flag.substr(2))] = name;
  return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<Estimate> estimate_with_progress(const RunFlags& flags, const DedupJob& job) {
  ProgressDisplay display;
  return estimate(CommandContext(with_progress(flags.context, display)), job);
}

}  // namespace

Result<void> dry_run(const RunFlags& flags, const DedupJob& job, bool json) {
  LEITONG_ASSIGN(const Estimate estimate, estimate_with_progress(flags, job));
  std::string text = estimate_text(estimate, job, flags.context.memory != 0);
  for (const auto& [flag, name] : named_outputs(job.outputs))
    text += fmt::format("would write {} ({})\n", name, flag);
  print_note(text + "Nothing was written.");
  for (const auto& [flag, name] : named_outputs(job.outputs)) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(name, ignored) && !job.outputs.force)
      print_warning(fmt::format("{} exists: the run would refuse to replace it without --force", name));
    if (std::filesystem::is_directory(name, ignored) && !std::filesystem::is_empty(name, ignored))
      print_warning(fmt::format("{}: the folder isn't empty: the run would refuse it", name));
  }
  if (flags.context.memory != 0 && flags.context.memory < estimate.least_memory)
    print_warning(fmt::format("--memory is too small: the run needs about {}",
                              human_bytes(static_cast<double>(estimate.least_memory))));
  if (json) return print_data(estimate_json(estimate, job));
  return {};
}

}  // namespace leitong::cli
