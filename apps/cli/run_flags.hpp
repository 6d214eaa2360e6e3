// What commands that read documents, or run over them, are told.
#pragma once

#include <string>
#include <vector>

#include "check_outputs.hpp"
#include "command_context.hpp"
#include "flags.hpp"
#include "leitong/job.hpp"
#include "progress.hpp"

namespace leitong::cli {

/// Of a command that reads documents.
struct InputFlags {
  InputFiles files = {};
  ContextSettings context = {};
  bool allow_truncated = false;
};
/// Of a command that compares all documents.
struct RunFlags {
  DedupJob job = {};
  ContextSettings context = {};
  bool allow_truncated = false, all_pairs = false;
};

/// What is read, how, and --allow-truncated.
void add_input_flags(CLI::App& app, InputFlags& flags);
/// --threads and --work.
void add_resource_flags(CLI::App& app, ContextSettings& context);
/// All settings of a job but its outputs and who stays.
void add_run_flags(CLI::App& app, RunFlags& flags);

/// A context that shows progress.
[[nodiscard]] ContextSettings with_progress(ContextSettings context, ProgressDisplay& display);

/// Puts the files of patterns in the place of these, and standard input where none is named.
Result<InputFiles> to_input(InputFiles files);
/// The job, with all that it reads so.
Result<DedupJob> to_job(const RunFlags& flags);

/// What a job writes, called by the flags.
[[nodiscard]] std::vector<NamedOutput> named_outputs(const DedupOutputs& outputs);
/// What a job reads.
[[nodiscard]] std::vector<std::string> files_of(const DedupJob& job);
/// The files of a choice of dictionaries.
void append_dictionary_files(const Dictionaries& choice, std::vector<std::string>& files);

}  // namespace leitong::cli
