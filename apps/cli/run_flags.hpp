// The flags that `dedup` and `pairs` share, and what they come to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check_outputs.hpp"
#include "leitong/context.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"
#include "model_flags.hpp"
#include "progress.hpp"

namespace CLI {
class App;
}

namespace leitong::cli {

/// What was typed about documents that are read.
struct InputFlags {
  std::vector<std::string> inputs, text_fields;
  std::string id_field, kind = "auto", html_part = "all", encoding, work;
  std::uint64_t max_record = 0, max_window = 0;
  bool strict = false, allow_truncated = false;
};

/// INPUT.., and the flags of add_record_flags().
void add_input_flags(CLI::App& app, InputFlags& flags);
/// How records become documents, below a heading.
void add_record_flags(CLI::App& app, InputFlags& flags, const std::string& heading);
/// --threads and --work.
void add_resource_flags(CLI::App& app, InputFlags& flags, unsigned& threads);
/// Fails with ErrorCode::invalid_argument where there is no input.
[[nodiscard]] Result<InputFiles> to_input(const InputFlags& flags);
[[nodiscard]] HtmlPart html_part_of(const InputFlags& flags);

/// What was typed. Outputs aren't shared: each command declares its own.
struct RunFlags {
  InputFlags input;
  ModelFlags dictionaries;
  std::vector<std::string> references, reference_indexes, params;
  std::string method = "default", preset = "default", measure, resume, templates, site_field;
  std::string vectors, vector_search = "exact";
  double threshold = -1, cosine = 0;
  bool all_pairs = false, strict_match = false, no_verify = false, no_audit = false;

  unsigned threads = 0;
  std::uint64_t memory = 0;
};

void add_run_flags(CLI::App& app, RunFlags& flags);

/// What the run may use. `display` shows its progress.
[[nodiscard]] ContextSettings context_settings(const RunFlags& flags, ProgressDisplay& display);

/// What was meant. Fails with ErrorCode::invalid_argument where flags contradict each other.
[[nodiscard]] Result<DedupJob> to_job(const RunFlags& flags);

/// --templates.
void add_templates_output(CLI::App& app, std::string& name);

/// --source-field, for commands with a report.
void add_source_field(CLI::App& app, std::string& field);

/// The outputs that were asked for.
[[nodiscard]] std::vector<NamedOutput> named_outputs(const DedupOutputs& outputs);
/// All that is read.
[[nodiscard]] std::vector<std::string> files_of(const DedupJob& job);

}  // namespace leitong::cli
