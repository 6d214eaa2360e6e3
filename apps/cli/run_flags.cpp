#include "run_flags.hpp"

#include <fmt/core.h>

#include "base/try.hpp"
#include "flags.hpp"
#include "input_patterns.hpp"
#include "method_params.hpp"

namespace leitong::cli {
namespace {

constexpr std::string_view kAnyKind = "auto";
constexpr std::string_view kAllPairs = "all-pairs";  // the method that the flag stands for

std::vector<std::string> kind_names() {
  std::vector<std::string> names = input_kinds();
  names.emplace(names.begin(), kAnyKind);
  return names;
}

tl::unexpected<Error> refuse(std::string message) {
  return fail(ErrorCode::invalid_argument, std::move(message));
}

/// What is similar, beside the method.
Result<void> set_rule(const RunFlags& flags, DedupSettings& settings) {
  const bool has_threshold = flags.threshold >= 0;
  if (flags.strict_match && (has_threshold || !flags.measure.empty()))
    return refuse(
        "--strict-match is a variant of the default rule; leave out --measure and --threshold, or it");
  for (const Preset preset : {Preset::strict, Preset::reuse})
    if (flags.preset == preset_name(preset)) settings.preset = preset;
  if (settings.preset != Preset::standard && (has_threshold || flags.strict_match || !flags.measure.empty()))
    return refuse(fmt::format(
        "--preset {} is a rule of its own; leave out --measure, --threshold and --strict-match, or it",
        flags.preset));
  if (!flags.measure.empty() && !has_threshold)
    return refuse(fmt::format("--measure {0} needs a threshold, for example --measure {0} --threshold 0.8",
                              flags.measure));
  if (has_threshold) settings.measure = {flags.measure.empty() ? "jaccard" : flags.measure, flags.threshold};
  settings.strict_match = flags.strict_match;
  return {};
}

/// The second decision needs the default rule, whose place other flags take.
Result<void> check_template_flag(const RunFlags& flags) {
  if (flags.templates != "on") return {};
  const std::string_view other = !flags.measure.empty() ? "--measure"
                                 : flags.threshold >= 0 ? "--threshold"
                                 : flags.no_verify      ? "--no-verify"
                                                        : "";
  if (other.empty()) return {};
  return refuse(
      fmt::format("--template on needs pairs that the default rule decides on their texts; leave out {}, or "
                  "--template on",
                  other));
}

}  // namespace

void add_input_flags(CLI::App& app, InputFlags& flags) {
  add_arguments(
      app, "INPUT", flags.inputs,
      "files to read, folders with all that is in them, and patterns in quotes, such as 'data/*.parquet' or "
      "'crawl/**/*.jsonl' (standard input). Formats: JSONL, CSV, "
      "TSV, WARC, Parquet, Arrow IPC, text with one document a line, and files that are one document "
      "each (.txt .md .html); "
      "all may be compressed (gzip, zstd, bzip2, xz)")
      .group("Input");
  add_record_flags(app, flags, "Input");
  add_size(app, "--max-window", flags.max_window,
           "the most memory that a compressed input may need for unpacking: the window of zstd, the "
           "dictionary of xz (128M)")
      .group("Input");
  add_switch(app, "--allow-truncated", flags.allow_truncated,
             "accept compressed input that is cut off or damaged, and use what can be read of it")
      .group("Input");
  add_old_text(app, "--html", flags.html_part, {"all", "main"}, "--html-part");
}

void add_record_flags(CLI::App& app, InputFlags& flags, const std::string& heading) {
  add_text(app, "--id-field", flags.id_field, "FIELD",
           "the field that holds a record's id, \"a.b\" for a field within a field (id). Without this flag, "
           "a record that has no id is named by its place, file:line")
      .group(heading);
  add_list(app, "--text-field", flags.text_fields, "FIELD",
           "the field that holds a record's text (text); the texts of several fields are joined")
      .group(heading);
  add_choice(
      app, "--kind", flags.kind, kind_names(),
      "the format of the input (auto: the name and content of each file tell). lines: one document a "
      "line; text, html: one document a file; warc: the pages of a WARC or WET archive; parquet, arrow: "
      "rows of a Parquet or Arrow IPC (Feather) file")
      .group(heading);
  add_choice(app, "--html-part", flags.html_part, {"all", "main"},
             "the part of an HTML page that is taken as its text: all that a reader sees, or the main "
             "content, without menus, footers and notices (all)")
      .group(heading);
  add_text(app, "--encoding", flags.encoding, "NAME",
           "the encoding of the whole input, such as GB18030, Big5 or UTF-16LE; needed only if it isn't "
           "recognised")
      .group(heading);
  add_size(app, "--max-record", flags.max_record,
           "the largest size of a record; larger ones are quarantined (768M)")
      .group(heading);
  add_switch(
      app, "--strict", flags.strict,
      "stop with an error at the first record that can't be read, and at the first id that occurs twice")
      .group(heading);
}

void add_resource_flags(CLI::App& app, InputFlags& flags, unsigned& threads) {
  add_threads(app, threads, "number of threads (0: one for each core); the result is the same for any number")
      .group("Resources");
  add_text(app, "--work", flags.work, "DIR", "folder for temporary files (that of the system)")
      .group("Resources");
}

void add_run_flags(CLI::App& app, RunFlags& flags) {
  add_input_flags(app, flags.input);
  add_list(app, "--reference", flags.references, "FILE",
           "documents that are never removed and never written; documents of the input that are similar to "
           "them are removed")
      .group("Input");

  add_list(app, "--reference-index", flags.reference_indexes, "DIR",
           "an online index, in the folder DIR, whose texts are references, too: documents of the input that "
           "it has "
           "seen are removed. The index is only read")
      .group("Input");

  take_old_methods(
      add_choice(app, "--method", flags.method, method_names(),
                 "the method that finds candidate pairs (default); leitong methods explains each")
          .group("What is similar"));
  add_list(app, "--param", flags.params, "NAME=VALUE",
           "a parameter of the method; leitong methods lists them. May be repeated")
      .group("What is similar");
  add_dictionary_flags(app, flags.dictionaries);
  add_synonyms(app, flags.params);
  add_switch(app, "--all-pairs", flags.all_pairs,
             "compare all pairs that share enough to be similar, so that none of them is missed: the same as "
             "--method all-pairs, slow")
      .group("What is similar");
  add_old_switch(app, "--exact", flags.all_pairs, "--all-pairs");
  add_choice(
      app, "--preset", flags.preset, {"strict", "default", "reuse"},
      "the rule by its purpose. strict: fewer pairs of different works on one subject. reuse: texts of "
      "which a part was copied, that is a containment of at least 0.15 or a common passage with at least 60 "
      "Chinese characters or 120 letters or digits (punctuation and spaces do not count) that are no "
      "template. It is meant for leitong pairs and "
      "--report: leitong dedup removes with it every text that shares a part with one that stays "
      "(default)")
      .group("What is similar");
  add_number(
      app, "--threshold", flags.threshold, "T", 0, 1,
      "call two documents similar if the measure is at least T (by default they are similar if their Jaccard "
      "is at least 0.35 for short texts, rising to 0.40 for long ones, or their containment at least 0.70)")
      .group("What is similar");
  add_choice(app, "--measure", flags.measure, {"jaccard", "containment", "edit"},
             "the measure that --threshold applies to (jaccard)")
      .group("What is similar");
  add_switch(app, "--strict-match", flags.strict_match,
             "be stricter with short texts: ask for a Jaccard of 0.40 instead of 0.35")
      .group("What is similar");
  add_choice(
      app, "--template", flags.templates, {"on", "off"},
      "text that many unrelated documents hold (site headers, menus, licences) does not count, and text "
      "that no third document holds counts more (on for the default rule)")
      .group("What is similar");
  add_text(
      app, "--site-field", flags.site_field, "FIELD",
      "where a record names its site (url, host or any other field): what many pages of one site hold is a "
      "template there, and what different sites share is a reprint")
      .group("What is similar");
  add_text(
      app, "--vectors", flags.vectors, "FILE.npy|FIELD",
      "vectors (embeddings) of the documents, with --cosine: a NumPy file with one row for each record in "
      "the order of the input (references first), or the field of a record that holds an array of numbers")
      .group("What is similar");
  add_number(app, "--cosine", flags.cosine, "C", 0, 1,
             "two documents are similar, too, if the cosine of their vectors is at least C, such as 0.9")
      .group("What is similar");
  add_choice(
      app, "--vector-search", flags.vector_search, {"exact", "approximate"},
      "how such pairs are found: exact compares every pair, in a time that grows with the square of the "
      "documents; approximate, for many, compares vectors that are near the same ones of a sample, and tells "
      "which share of the pairs it found. It takes 72 bytes of memory for each document (exact)")
      .group("What is similar");
  add_switch(app, "--no-verify", flags.no_verify,
             "believe the method's own estimate and do not compare the texts; the pairs are then not proven")
      .group("What is similar");
  add_switch(
      app, "--no-audit", flags.no_audit,
      "do not measure recall on a sample (recall is the share of similar pairs that the run has found)")
      .group("What is similar");

  add_resource_flags(app, flags.input, flags.threads);
  add_size(app, "--memory", flags.memory,
           "use at most this much memory, such as 4G; what does not fit is kept in temporary files (128M and "
           "600 bytes for each document)")
      .group("Resources");
  add_text(app, "--resume", flags.resume, "DIR",
           "keep finished stages in this folder, which is made if it is missing. After a stop or a crash, "
           "run the same command again: it continues from the last finished stage and gives the same "
           "outputs. The folder is emptied when all outputs are written")
      .group("Resources");
}

void add_templates_output(CLI::App& app, std::string& name) {
  add_text(app, "--templates", name, "FILE",
           "TSV: the passages that count as templates, with the number of families and sites and an example. "
           "Templates are looked for only in documents of pairs that a template may decide")
      .group("Output");
}

void add_source_field(CLI::App& app, std::string& field) {
  add_text(app, "--source-field", field, "FIELD",
           "with --report: the field that names a record's source (site, author, class), for the table of "
           "who copies whom (the name of its file)")
      .group("Output");
}

std::vector<NamedOutput> named_outputs(const DedupOutputs& outputs) {
  std::vector<NamedOutput> named = {{"--output", outputs.kept},
                                    {"--removed", outputs.removed},
                                    {"--kept-similar", outputs.kept_similar},
                                    {"--clusters", outputs.clusters},
                                    {"--components", outputs.components},
                                    {"--pairs", outputs.pairs},
                                    {"--templates", outputs.templates},
                                    {"--quarantine", outputs.quarantine},
                                    {"--report", outputs.report},
                                    {"--write-index", outputs.index}};
  std::erase_if(named, [](const NamedOutput& output) { return output.name.empty(); });
  return named;
}

Result<InputFiles> to_input(const InputFlags& flags) {
  InputFiles input;
  input.paths = flags.inputs;
  LEITONG_TRY(resolve_inputs(input.paths));
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

Result<DedupJob> to_job(const RunFlags& flags) {
  DedupJob job;
  LEITONG_ASSIGN(job.input, to_input(flags.input));
  job.input.reference_paths = flags.references;
  LEITONG_TRY(expand_patterns(job.input.reference_paths));
  job.reference_indexes = flags.reference_indexes;
  job.resume_folder = flags.resume;

  if (flags.all_pairs && flags.method != "default" && flags.method != kAllPairs)
    return refuse(
        fmt::format("--all-pairs and --method {} contradict each other; leave one out", flags.method));
  DedupSettings& settings = job.settings;
  settings.method = flags.all_pairs ? std::string(kAllPairs) : flags.method;
  settings.params = flags.params;
  settings.dictionaries = to_dictionaries(flags.dictionaries);
  LEITONG_TRY(set_rule(flags, settings));
  settings.verify = !flags.no_verify;
  settings.measure_recall = !flags.no_audit;
  LEITONG_TRY(check_template_flag(flags));
  if (!flags.templates.empty())
    settings.templates = flags.templates == "on" ? TemplateText::ignored : TemplateText::counted;
  job.site_field = flags.site_field;
  job.vectors = flags.vectors;
  settings.cosine = flags.cosine;
  if (flags.vectors.empty() != (flags.cosine == 0))
    return refuse("--vectors and --cosine go together, for example --vectors vectors.npy --cosine 0.9");
  if (flags.vector_search == "approximate") settings.vector_search = VectorSearch::approximate;
  if (flags.vectors.empty() && settings.vector_search != VectorSearch::exact)
    return refuse("--vector-search approximate is about --vectors; name them, too");
  return job;
}

std::vector<std::string> files_of(const DedupJob& job) {
  std::vector<std::string> files = job.input.paths;
  const auto& references = job.input.reference_paths;
  files.insert(files.end(), references.begin(), references.end());
  const auto& indexes = job.reference_indexes;
  files.insert(files.end(), indexes.begin(), indexes.end());
  append_param_files(job.settings.params, files);
  if (job.vectors.ends_with(".npy")) files.push_back(job.vectors);
  append_dictionary_files(job.settings.dictionaries, files);
  return files;
}

}  // namespace leitong::cli
