#include "run_flags.hpp"

#include <fmt/core.h>

#include <array>

#include "corpus/record_format.hpp"
#include "flags.hpp"
#include "method_params.hpp"
#include "standard_input.hpp"

namespace leitong::cli {
namespace {

constexpr std::string_view kAnyKind = "auto";
constexpr std::array<std::pair<std::string_view, Measure>, 3> kMeasures = {
    {{"jaccard", Measure::jaccard}, {"containment", Measure::containment}, {"edit", Measure::edit}}};
constexpr std::string_view kAllPairs = "all-pairs";  // the method that the flag stands for
constexpr double kStrictShort = .40;  // instead of .35: scrambled and reworded short texts stay apart

template <class Table>
std::vector<std::string> words(const Table& table) {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const auto& entry : table) names.emplace_back(entry.first);
  return names;
}

template <class Table>
auto value_of(const Table& table, std::string_view name) {
  for (const auto& entry : table)
    if (entry.first == name) return entry.second;
  return table.front().second;  // add_choice() lets no other word through
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names = standard_formats().names();
  names.emplace(names.begin(), kAnyKind);
  return names;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) names.emplace_back(method.name);
  return names;
}

tl::unexpected<Error> refuse(std::string message) {
  return fail(ErrorCode::invalid_argument, std::move(message));
}

Result<Rule> rule_of(const RunFlags& flags) {
  Rule rule;
  const bool has_threshold = flags.threshold >= 0;
  if (flags.strict_match && (has_threshold || !flags.measure.empty()))
    return refuse(
        "--strict-match is a variant of the default rule; leave out --measure and --threshold, or it");
  if (!flags.measure.empty() && !has_threshold)
    return refuse(fmt::format("--measure {0} needs a threshold, for example --measure {0} --threshold 0.8",
                              flags.measure));
  if (has_threshold) {
    rule.measure = flags.measure.empty() ? Measure::jaccard : value_of(kMeasures, flags.measure);
    rule.threshold = flags.threshold;
  }
  if (flags.strict_match) rule.jaccard_short = kStrictShort;
  return rule;
}

}  // namespace

void add_input_flags(CLI::App& app, InputFlags& flags) {
  add_arguments(app, "INPUT", flags.inputs,
                "files and folders, which are read recursively (standard input): JSONL, CSV, TSV, a document "
                "a line, or a "
                "document a file (.txt .md .html), also compressed (gzip, zstd, bzip2, xz)")
      .group("Input");
  add_record_flags(app, flags, "Input");
  add_size(app, "--max-window", flags.max_window,
           "memory that compressed input may ask for: zstd's window, xz's dictionary (128M)")
      .group("Input");
  add_switch(app, "--allow-truncated", flags.allow_truncated,
             "compressed input that is cut off or damaged is no failure: what could be read counts")
      .group("Input");
  add_old_text(app, "--html", flags.html_part, {"all", "main"}, "--html-part");
}

void add_record_flags(CLI::App& app, InputFlags& flags, const std::string& heading) {
  add_text(app, "--id-field", flags.id_field, "FIELD",
           "where a record's id stands, \"a.b\" for nested fields (id); else it is file:line")
      .group(heading);
  add_list(app, "--text-field", flags.text_fields, "FIELD",
           "where its text stands (text); several are joined")
      .group(heading);
  add_choice(app, "--kind", flags.kind, kind_names(),
             "what the input is, where name and content don't tell (auto)")
      .group(heading);
  add_choice(
      app, "--html-part", flags.html_part, {"all", "main"},
      "what of an HTML page counts: all that a reader sees, or its main content, without menus, footers "
      "and notices (all)")
      .group(heading);
  add_text(app, "--encoding", flags.encoding, "NAME",
           "the encoding of all text, such as GB18030, Big5 or UTF-16LE, where it isn't recognised")
      .group(heading);
  add_size(app, "--max-record", flags.max_record, "longer records are quarantined (768M)").group(heading);
  add_switch(app, "--strict", flags.strict,
             "stop at the first bad record or repeated id, instead of quarantining it")
      .group(heading);
}

void add_resource_flags(CLI::App& app, InputFlags& flags, unsigned& threads) {
  add_threads(app, threads, "threads (0: all cores); the result is the same for any number")
      .group("Resources");
  add_text(app, "--work", flags.work, "DIR", "folder for temporary files (the system's)").group("Resources");
}

void add_run_flags(CLI::App& app, RunFlags& flags) {
  add_text(app, "--resume", flags.resume, "DIR",
           "keep finished stages in this folder, made if it is missing; after a stop or a crash the same command "
           "goes on from them to the same outputs. It is emptied when the outputs stand")
      .group("Resources");
  add_input_flags(app, flags.input);
  add_list(app, "--reference", flags.references, "FILE",
           "documents that are never removed and never written, but remove others")
      .group("Input");

  add_choice(app, "--method", flags.method, method_names(),
             "how candidates are found (default); see leitong methods")
      .group("What is similar");
  add_list(app, "--param", flags.params, "NAME=VALUE",
           "a parameter of the method, as leitong methods lists them; may be repeated")
      .group("What is similar");
  add_dictionary_flags(app, flags.dictionaries);
  add_switch(app, "--all-pairs", flags.all_pairs,
             "compare all pairs that can be similar: the same as --method all-pairs, slow")
      .group("What is similar");
  add_old_switch(app, "--exact", flags.all_pairs, "--all-pairs");
  add_number(app, "--threshold", flags.threshold, "T", 0, 1,
             "similar means a measure of at least T, instead of the default rule (Jaccard of .35 to .40 by "
             "length, or "
             "containment of .70)")
      .group("What is similar");
  add_choice(app, "--measure", flags.measure, words(kMeasures),
             "the measure that --threshold is about (jaccard)")
      .group("What is similar");
  add_switch(app, "--strict-match", flags.strict_match,
             "ask more of short texts (Jaccard of .40 instead of .35)")
      .group("What is similar");
  add_switch(app, "--no-verify", flags.no_verify, "trust the method's own estimate; nothing is then proven")
      .group("What is similar");
  add_switch(app, "--no-audit", flags.no_audit, "don't measure the run's recall on a sample")
      .group("What is similar");

  add_resource_flags(app, flags.input, flags.threads);
  add_size(app, "--memory", flags.memory,
           "stay below this, such as 4G, with parts on disk if need be (as the input asks for)")
      .group("Resources");
}

void add_source_field(CLI::App& app, std::string& field) {
  add_text(app, "--source-field", field, "FIELD",
           "with --report: where a record names its source (site, author, class), for the table of who "
           "copies whom (its file)")
      .group("Output");
}

void set_source_field(DedupOptions& options, const std::string& field) {
  options.source_field = field;
}

std::vector<NamedOutput> named_outputs(const DedupOutputs& outputs) {
  std::vector<NamedOutput> named = {{"--output", outputs.kept},       {"--removed", outputs.removed},
                                    {"--clusters", outputs.clusters}, {"--components", outputs.components},
                                    {"--pairs", outputs.pairs},       {"--quarantine", outputs.quarantine},
                                    {"--report", outputs.report}};
  std::erase_if(named, [](const NamedOutput& output) { return output.name.empty(); });
  return named;
}

Result<InputOptions> to_input(const InputFlags& flags) {
  InputOptions input;
  input.paths = flags.inputs;
  LEITONG_TRY(default_to_standard_input(input.paths));
  if (flags.kind != kAnyKind) input.kind = flags.kind;
  input.encoding = flags.encoding;
  if (flags.max_window > 0) input.max_window_bytes = flags.max_window;
  if (!flags.id_field.empty()) input.id_field = flags.id_field;
  if (!flags.text_fields.empty()) input.text_fields = flags.text_fields;
  if (flags.max_record > 0) input.max_record_bytes = flags.max_record;
  input.html = html_part_of(flags);
  input.strict = flags.strict;
  return input;
}

HtmlPart html_part_of(const InputFlags& flags) {
  return flags.html_part == "main" ? HtmlPart::main : HtmlPart::all;
}

ContextSettings context_settings(const RunFlags& flags, ProgressDisplay& display) {
  return {.threads = flags.threads,
          .memory = flags.memory,
          .work_folder = flags.input.work,
          .progress = display.callback()};
}

Result<DedupOptions> to_options(const RunFlags& flags) {
  DedupOptions options;
  LEITONG_ASSIGN(options.input, to_input(flags.input));
  options.input.reference_paths = flags.references;
  options.stages = flags.resume;

  if (flags.all_pairs && flags.method != "default" && flags.method != kAllPairs)
    return refuse(
        fmt::format("--all-pairs and --method {} contradict each other; leave one out", flags.method));
  options.find.method = flags.all_pairs ? std::string(kAllPairs) : flags.method;
  options.find.params = flags.params;
  options.find.dictionaries = to_choice(flags.dictionaries);
  LEITONG_ASSIGN(options.find.rule, rule_of(flags));
  options.find.verify = !flags.no_verify;
  options.find.audit = !flags.no_audit;
  return options;
}

std::vector<std::string> files_of(const DedupOptions& options) {
  std::vector<std::string> files = options.input.paths;
  const auto& references = options.input.reference_paths;
  files.insert(files.end(), references.begin(), references.end());
  append_param_files(options.find.params, files);
  append_dictionary_files(options.find.dictionaries, files);
  return files;
}

}  // namespace leitong::cli
