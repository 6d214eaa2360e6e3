#include <fmt/core.h>

#include <memory>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "io/output_file.hpp"
#include "io/tsv.hpp"
#include "job/tune.hpp"
#include "method_params.hpp"
#include "named_files.hpp"
#include "run_flags.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

struct TuneFlags {
  InputFlags input;
  std::vector<std::string> params, sweep;
  std::string method = "default", gold, curve, label;
  unsigned count = 200;
  bool force = false;
};

Result<TuneOptions> options_of(const TuneFlags& flags) {
  TuneOptions options{{}, flags.method, flags.params};
  LEITONG_ASSIGN(options.input, to_input(flags.input.files));
  return options;
}

/// A value of the swept parameter, and its results.
struct Tried {
  std::string value;
  Tuned tuned;
};

Result<void> write_curve(OutputFile& file, const std::vector<Tried>& all) {
  LEITONG_TRY(file.write(
      "value\tthreshold\ttune_precision\ttune_recall\ttune_f1\ttest_precision\ttest_recall\ttest_f1\n"));
  for (const Tried& tried : all)
    for (const CurvePoint& point : tried.tuned.curve)
      LEITONG_TRY(
          file.write(fmt::format("{}\t{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\n", tried.value,
                                 point.threshold, point.tune.precision, point.tune.recall, point.tune.f1(),
                                 point.test.precision, point.test.recall, point.test.f1())));
  return file.commit();
}

Result<void> write_pairs_to_label(const TuneFlags& flags, const Context& context) {
  LEITONG_ASSIGN(const auto file, OutputFile::create(flags.label, flags.force, told_to_stop()));
  LEITONG_ASSIGN(const TuneOptions options, options_of(flags));
  LEITONG_ASSIGN(const auto pairs, pairs_to_label(options, flags.count, context));
  for (const auto& [a, b] : pairs) {
    std::string row;
    append_tsv_field(a, row);
    row += '\t';
    append_tsv_field(b, row);
    LEITONG_TRY(file->write(row + "\t?\n"));
  }
  LEITONG_TRY(file->commit());
  print_note("replace each ? by 1 (the same) or 0, then: leitong tune .. --gold " + flags.label);
  return {};
}

/// Warnings that apply to all values, and are therefore printed once.
void warn_of(const Tuned& tuned, const TuneFlags& flags) {
  if (tuned.without_signature > 0)
    print_warning(fmt::format("{}; no setting finds more than copies of these",
                              lacking(flags.method, tuned.without_signature)));
  warn_of_absent(flags.gold, tuned.absent);
  if (tuned.repeated_ids > 0)
    print_warning(fmt::format("{} an id that an earlier one has; each id counts as one document",
                              human_counted(tuned.repeated_ids, "record has", "records have")));
}

/// A parameter of which several values are tried.
struct Sweep {
  std::string name;
  std::vector<std::string> values = {""};
};

Result<Sweep> sweep_of(const TuneFlags& flags) {
  if (flags.sweep.empty()) return Sweep{};
  const std::size_t equals = flags.sweep[0].find('=');
  if (equals == std::string::npos)
    return fail(ErrorCode::invalid_argument, "--sweep: NAME=VALUE,VALUE,.. is expected");
  Sweep sweep{flags.sweep[0].substr(0, equals), flags.sweep};
  sweep.values[0].erase(0, equals + 1);
  return sweep;
}

/// Each parameter has one source: it is given, swept or tuned.
Result<void> check_sources(const TuneFlags& flags, const MethodInfo& method, const Sweep& sweep) {
  const auto refuse_tuned = [&](std::string_view flag, std::string_view name) -> Result<void> {
    if (name.empty() || name != tuned_param(method)) return {};
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} {}: that is what is tuned; leave it out", flag, name));
  };
  LEITONG_TRY(refuse_tuned("--sweep", sweep.name));
  for (const std::string& param : flags.params) {
    const std::string_view name = std::string_view(param).substr(0, param.find('='));
    LEITONG_TRY(refuse_tuned("--param", name));
    if (name == sweep.name)
      return fail(ErrorCode::invalid_argument,
                  fmt::format("--param {} and --sweep are both about {}; leave one out", param, name));
  }
  return {};
}

Result<void> check_files(const TuneFlags& flags) {
  std::vector<std::string> inputs = flags.input.files.paths;
  if (!flags.gold.empty()) inputs.push_back(flags.gold);
  append_param_files(flags.params, inputs);
  append_param_files(flags.sweep, inputs);
  return check_outputs({{"--curve", flags.curve},
                        {"--label", flags.label},
                        {"the table of results", flags.label.empty() ? "-" : ""}},
                       inputs);
}

Result<void> tune(TuneFlags& flags) {
  LEITONG_TRY(resolve_inputs(flags.input.files.paths));
  const MethodInfo& method = *find_method(flags.method);  // --method accepts no other name
  if (flags.gold.empty() == flags.label.empty())
    return fail(ErrorCode::invalid_argument,
                "name the truth (--gold FILE), or a file for pairs that a person shall label (--label FILE)");
  LEITONG_ASSIGN(const Sweep sweep, sweep_of(flags));
  LEITONG_TRY(check_sources(flags, method, sweep));
  LEITONG_TRY(check_files(flags));
  const CommandContext context(flags.input.context);
  if (!flags.label.empty()) return write_pairs_to_label(flags, context);

  std::unique_ptr<OutputFile> curve;
  if (!flags.curve.empty()) {
    LEITONG_ASSIGN(curve, OutputFile::create(flags.curve, flags.force, told_to_stop()));
  }
  LEITONG_ASSIGN(TuneOptions options, options_of(flags));
  std::vector<Tried> all;
  std::string out = fmt::format("{:<12} {:<16} {:>9} {:>8} {:>8} {:>8}  {}\n", sweep.name, "best setting",
                                "F1 (tune)", "P (test)", "R (test)", "F1", "95 % of it");
  for (const std::string& value : sweep.values) {
    options.params = flags.params;
    if (!sweep.name.empty()) options.params.push_back(fmt::format("{}={}", sweep.name, value));
    LEITONG_ASSIGN(Tuned tuned, leitong::tune(options, flags.gold, context));
    const CurvePoint& best = tuned.curve[tuned.best];
    out += fmt::format("{:<12} {:<16} {:>9.4f} {:>8.4f} {:>8.4f} {:>8.4f}  {:.4f} to {:.4f}\n", value,
                       tuned.setting, best.tune.f1(), best.test.precision, best.test.recall, best.test.f1(),
                       tuned.interval.low, tuned.interval.high);
    all.push_back({value, std::move(tuned)});
  }
  warn_of(all.front().tuned, flags);
  if (curve) LEITONG_TRY(write_curve(*curve, all));
  return print_data(out);
}

}  // namespace

Run add_tune(CLI::App& app) {
  auto flags = std::make_shared<TuneFlags>();
  add_input_flags(app, flags->input);
  add_choice(app, "--method", flags->method, method_names,
             "the method whose threshold or distance is to be chosen (default)");
  add_list(app, "--param", flags->params, "NAME=VALUE",
           "a parameter of the method that has the same value in all runs");
  add_list(app, "--sweep", flags->sweep, "NAME=VALUES",
           "try these values of a parameter, as in mu=1.2,1.5,1.8, in one run each");
  add_text(app, "--gold", flags->gold, "FILE", "the truth, as leitong eval reads it");
  add_text(app, "--curve", flags->curve, "FILE",
           "TSV: precision, recall and F1 for every value and threshold");
  add_text(
      app, "--label", flags->label, "FILE",
      "if there is no truth yet: write pairs of all scores to FILE, as two ids and a question mark. A person "
      "then replaces each question mark by 1 (the same) or 0 (not the same); FILE is then the truth");
  add_number(app, "--count", flags->count, "N", 1, 1'000'000, "with --label: about how many pairs (200)");
  add_switch(app, "--force", flags->force, "replace outputs that exist");
  add_resource_flags(app, flags->input.context);
  add_examples(app,
               "The method runs once with its loosest setting; that run holds the results of all\n"
               "stricter settings. The clusters of the truth, or its judged pairs, are divided\n"
               "into two halves by their ids. The best setting is chosen on one half and is\n"
               "measured on the other, with a 95 % interval from resampled clusters or pairs.\n"
               "\n"
               "Examples:\n"
               "  leitong tune corpus.jsonl --gold gold.tsv --method simhash --curve curve.tsv\n"
               "  leitong tune corpus.jsonl --gold gold.tsv --method p-simhash --sweep mu=1.0,1.4,1.8\n"
               "  leitong tune corpus.jsonl --method minhash --label pairs.tsv");
  return [flags] { return tune(*flags); };
}

}  // namespace leitong::cli
