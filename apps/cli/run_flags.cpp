#include "run_flags.hpp"

#include <fmt/core.h>

#include "base/try.hpp"
#include "method_params.hpp"
#include "named_files.hpp"
#include "run_note.hpp"

namespace leitong::cli {
namespace {

constexpr std::string_view kAllPairs = "all-pairs";  // the method for which the flag stands

void add_allow_truncated(CLI::App& app, bool& allow) {
  add_switch(app, "--allow-truncated", allow,
             "accept compressed input that is cut off or damaged, and use what can be read of it")
      .group("Input");
}

}  // namespace

void add_input_flags(CLI::App& app, InputFlags& flags) {
  add_settings(app, flags.files);
  add_allow_truncated(app, flags.allow_truncated);
}

void add_resource_flags(CLI::App& app, ContextSettings& context) {
  add_settings(app, context, all_but({"memory"}));
}

void add_run_flags(CLI::App& app, RunFlags& flags) {
  flags.app = &app;
  DedupJob& job = flags.job;
  add_settings(app, job, all_but({"kept",     "removed",    "kept_similar", "clusters",       "components",
                                  "pairs",    "quarantine", "report",       "restorable",     "write_index",
                                  "annotate", "add_fields", "resample",     "null_separated", "copy_files",
                                  "force",    "keep",       "keep_each",    "remove",         "loss",
                                  "loss_run", "numbers",    "report_texts"}));
  add_switch(app, "--all-pairs", flags.all_pairs,
             "compare all pairs that share enough to be similar, so that none of them is missed: the same as "
             "--method all-pairs, slow")
      .group("What is similar");
  add_allow_truncated(app, flags.allow_truncated);
  add_settings(app, flags.context);
  add_switch(app, "--verbose", flags.verbose,
             "print all figures of the run: templates, losses, recall in full, speed, what was written");
}

ContextSettings with_progress(ContextSettings context, ProgressDisplay& display) {
  context.progress = display.callback();
  return context;
}

Result<InputFiles> to_input(InputFiles files) {
  LEITONG_TRY(resolve_inputs(files.paths));
  return files;
}

Result<DedupJob> to_job(const RunFlags& flags) {
  DedupJob job = flags.job;
  LEITONG_TRY(resolve_inputs(job.input.paths));
  LEITONG_TRY(expand_patterns(job.input.reference_paths));
  LEITONG_TRY(expand_patterns(job.base));
  std::string& method = job.settings.method;
  if (flags.all_pairs && method != DedupSettings().method && method != kAllPairs)
    return fail(ErrorCode::invalid_argument,
                fmt::format("--all-pairs and --method {} contradict each other; leave one out", method));
  if (flags.all_pairs) method = kAllPairs;
  job.command = command_line(*flags.app);
  job.date = date_of_run();
  return job;
}

std::vector<NamedOutput> named_outputs(const DedupOutputs& outputs) {
  std::vector<NamedOutput> named;
  DedupOutputs all = outputs;
  each_setting(all, [&](const Setting& setting, const SettingValue& value) {
    if (auto* const name = std::get_if<std::string*>(&value); name != nullptr && !(*name)->empty())
      named.push_back({flag_of(setting.name), **name});
  });
  return named;
}

void append_dictionary_files(const Dictionaries& choice, std::vector<std::string>& files) {
  files.insert(files.end(), choice.user.begin(), choice.user.end());
  for (const auto& file : {choice.idf, choice.stop_words})
    if (!file.empty()) files.push_back(file);
}

std::vector<std::string> files_of(const DedupJob& job) {
  std::vector<std::string> files = job.input.paths;
  const auto& references = job.input.reference_paths;
  files.insert(files.end(), references.begin(), references.end());
  files.insert(files.end(), job.base.begin(), job.base.end());
  const auto& indexes = job.reference_indexes;
  files.insert(files.end(), indexes.begin(), indexes.end());
  append_param_files(job.settings.params, files);
  if (job.vectors.ends_with(".npy")) files.push_back(job.vectors);
  append_dictionary_files(job.settings.dictionaries, files);
  return files;
}

}  // namespace leitong::cli
