// The flags of commands that read documents or compare them.
#pragma once

#include <string>
#include <vector>

#include "command_context.hpp"
#include "flags.hpp"
#include "leitong/job.hpp"
#include "named_files.hpp"
#include "progress.hpp"

namespace leitong::cli {

/// Flags of a command that reads documents.
struct InputFlags {
  InputFiles files = {};
  ContextSettings context = {};
  bool allow_truncated = false;
};
/// Flags of a command that compares all documents.
struct RunFlags {
  DedupJob job = {};
  const CLI::App* app = nullptr;  ///< of the command, for its command line
  ContextSettings context = {};
  bool allow_truncated = false, all_pairs = false, verbose = false;
};

/// What is read and how, and --allow-truncated.
void add_input_flags(CLI::App& app, InputFlags& flags);
/// --threads and --work.
void add_resource_flags(CLI::App& app, ContextSettings& context);
/// All settings of a job except its outputs and the keep policy.
void add_run_flags(CLI::App& app, RunFlags& flags);

[[nodiscard]] ContextSettings with_progress(ContextSettings context, ProgressDisplay& display);

/// Replaces patterns by their files, and no inputs by standard input.
Result<InputFiles> to_input(InputFiles files);
/// The job, with its inputs expanded like this.
Result<DedupJob> to_job(const RunFlags& flags);

/// The outputs of a job, named by their flags.
[[nodiscard]] std::vector<NamedOutput> named_outputs(const DedupOutputs& outputs);
/// The inputs of a job.
[[nodiscard]] std::vector<std::string> files_of(const DedupJob& job);
void append_dictionary_files(const Dictionaries& choice, std::vector<std::string>& files);

}  // namespace leitong::cli
