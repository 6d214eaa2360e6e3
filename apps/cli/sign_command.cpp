#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "io/output_file.hpp"
#include "io/tsv.hpp"
#include "job/sign.hpp"
#include "leitong/json.hpp"
#include "leitong/sign.hpp"
#include "method_params.hpp"
#include "named_files.hpp"
#include "run_flags.hpp"
#include "scheme/scheme_file.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;

struct SignFlags {
  InputFlags input;
  SignSettings settings;
  std::string format = "tsv", digits = "hex", output = "-";
  bool force = false, json = false;
};

/// One document in the chosen format.
std::string render(const SignFlags& flags, std::string_view id, std::span<const std::uint64_t> words) {
  const auto signature = [&] {
    return flags.digits == "hex" ? signature_hex(words) : signature_binary(words);
  };
  std::string row;
  if (flags.format == "raw") {
    row.assign(reinterpret_cast<const char*>(words.data()), words.size_bytes());
  } else if (flags.format == "jsonl") {
    row = fmt::format("{{\"id\":{},\"signature\":{}}}\n", json_string(id),
                      words.empty() ? "null" : '"' + signature() + '"');
  } else {
    append_tsv_field(id, row);
    row += '\t' + signature() + '\n';
  }
  return row;
}

/// The file that names the scheme, beside an output that is a file. It replaces one of an earlier run.
Result<std::unique_ptr<OutputFile>> create_scheme_file(const SignFlags& flags) {
  std::error_code ignored;
  const auto status = std::filesystem::status(flags.output, ignored);
  if (flags.output == "-" || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)))
    return nullptr;
  const std::filesystem::path path = scheme_file_of(flags.output);
  return OutputFile::create(path, flags.force || read_scheme_file(path).has_value(), told_to_stop());
}

std::string to_json(const SignFlags& flags, const SignSummary& summary) {
  nlohmann::ordered_json json = {{"documents", summary.documents},
                                 {"signed", summary.documents - summary.without_signature},
                                 {"without_signature", summary.without_signature},
                                 {"quarantined", summary.quarantined},
                                 {"method", flags.settings.method},
                                 {"scheme", scheme_text(summary.scheme)},
                                 {"scheme_label", scheme_label(summary.scheme)}};
  if (summary.bits > 0) json["bits"] = summary.bits;
  return json.dump() + "\n";
}

Result<void> sign(const SignFlags& flags) {
  LEITONG_ASSIGN(const InputFiles input, to_input(flags.input.files));
  const SignSettings& settings = flags.settings;
  std::vector<std::string> inputs = input.paths;
  append_param_files(settings.params, inputs);
  append_dictionary_files(settings.dictionaries, inputs);
  std::vector<NamedOutput> outputs = {{"--output", flags.output}};
  if (flags.output != "-")
    outputs.push_back({"the scheme of --output", scheme_file_of(flags.output).string()});
  if (flags.json) outputs.push_back({"--json", "-"});
  LEITONG_TRY(check_outputs(outputs, inputs));
  LEITONG_ASSIGN(const auto file, OutputFile::create(flags.output, flags.force, told_to_stop()));
  LEITONG_ASSIGN(const auto scheme_file, create_scheme_file(flags));
  std::string block;
  SignSummary summary;
  {
    ProgressDisplay display;
    const CommandContext context(with_progress(flags.input.context, display));
    LEITONG_ASSIGN(summary,
                   sign_files(context, input, settings,
                              [&](std::string_view id, std::span<const std::uint64_t> words) -> Result<void> {
                                block += render(flags, id, words);
                                if (block.size() < kBlock) return {};
                                LEITONG_TRY(file->write(block));
                                block.clear();
                                return {};
                              }));
  }
  LEITONG_TRY(file->write(block));
  std::vector<Staged*> made = {file.get()};
  if (scheme_file) {
    LEITONG_TRY(scheme_file->write(scheme_text(summary.scheme) + "\n"));
    made.push_back(scheme_file.get());
  }
  LEITONG_TRY(commit_all(made, told_to_stop()));
  if (flags.json) LEITONG_TRY(print_data(to_json(flags, summary)));
  print_note(fmt::format("signed {} by {}",
                         human_counted(summary.documents - summary.without_signature, "document"),
                         flags.settings.method));
  if (summary.without_signature > 0)
    print_warning(fmt::format(
        "{}: no signature{}", lacking(flags.settings.method, summary.without_signature),
        flags.format == "raw" ? "; they are left out of raw output, so its rows don't count documents" : ""));
  if (summary.quarantined > 0)
    print_warning(left_out_warning(summary.quarantined, summary.first_quarantined));
  return check_read(
      {summary.documents, summary.quarantined, summary.truncated_inputs, summary.first_quarantined},
      flags.input.allow_truncated);
}

}  // namespace

Run add_sign(CLI::App& app) {
  auto flags = std::make_shared<SignFlags>();
  add_input_flags(app, flags->input);
  add_text(app, "--format", flags->format, "tsv|jsonl|raw",
           "tsv: id, tab and digits; jsonl: one JSON object a document; raw: only the 64-bit words, "
           "little-endian (tsv)");
  add_text(app, "--digits", flags->digits, "hex|binary",
           "the digits of a signature in tsv and jsonl: 16 hexadecimal or 64 binary digits for each 64-bit "
           "word (hex)");
  add_text(app, "-o,--output", flags->output, "FILE", "the file to write (standard output)").group("Output");
  add_switch(app, "--json", flags->json,
             "with -o FILE: print the figures and the scheme as one JSON object on standard output")
      .group("Output");
  add_switch(app, "--force", flags->force, "replace an output that exists").group("Output");
  add_settings(app, flags->settings);
  add_resource_flags(app, flags->input.context);
  add_examples(app,
               "A text without words (or units) has no signature: its field is empty, or null.\n"
               "With -o FILE, FILE.scheme is written as well. It says how the signatures were\n"
               "made: method, parameters, tables and dictionary. leitong hamming refuses to\n"
               "compare signatures that were made in different ways.\n"
               "\n"
               "Examples:\n"
               "  leitong sign corpus.jsonl > fingerprints.tsv\n"
               "  leitong sign corpus.jsonl --method p-simhash --param mu=1.6 --format jsonl\n"
               "  leitong sign corpus.jsonl --format raw -o fingerprints.u64");
  return [flags] { return sign(*flags); };
}

}  // namespace leitong::cli
