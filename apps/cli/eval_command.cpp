#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "eval_methods.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "io/output_file.hpp"
#include "job/eval_report.hpp"
#include "job/measure_result.hpp"
#include "method_params.hpp"
#include "named_files.hpp"
#include "run_flags.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostDocuments = 1'000'000'000'000;

struct EvalFlags {
  InputFlags input;
  std::vector<std::string> methods, params;
  unsigned examples = 0;
  bool no_verify = false;
  std::string gold, clusters, pairs, ids;
  std::uint64_t documents = 0;
  bool json = false;
  std::string report;
  bool force = false;
};

/// Figures in the order of the table: displayed with four digits, written in full.
using Figures = std::vector<std::pair<std::string, double>>;

void add_score(Figures& figures, const std::string& name, const Score& score) {
  figures.emplace_back(name + "_precision", score.precision);
  figures.emplace_back(name + "_recall", score.recall);
  figures.emplace_back(name + "_f1", score.f1());
}

struct Evaluation {
  Figures figures;
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  MeasuredResult measured;
};

Evaluation judge(const JudgedCounts& counts) {
  Evaluation evaluation;
  add_score(evaluation.figures, "pairs", counts.pairs().score());
  evaluation.figures.emplace_back("accuracy", counts.accuracy());
  evaluation.counts = {{"judged_same", counts.same},
                       {"judged_different", counts.different},
                       {"claimed_same", counts.claimed_same},
                       {"claimed_different", counts.claimed_different}};
  return evaluation;
}

Evaluation measure_pairs(const PairCounts& counts, std::size_t documents) {
  Evaluation evaluation;
  add_score(evaluation.figures, "pairs", counts.score());
  evaluation.counts = {{"documents", documents},
                       {"gold_pairs", counts.gold},
                       {"claimed_pairs", counts.claimed},
                       {"true_pairs", counts.both}};
  return evaluation;
}

Evaluation measure_clusters(const ClusterMetrics& metrics) {
  Evaluation evaluation = measure_pairs(metrics.pairs, metrics.documents);
  add_score(evaluation.figures, "b_cubed", metrics.b_cubed);
  evaluation.figures.emplace_back("adjusted_rand", metrics.adjusted_rand);
  evaluation.figures.emplace_back("dedup_rate", metrics.dedup_rate());
  evaluation.figures.emplace_back("gold_dedup_rate", metrics.gold_dedup_rate());
  evaluation.counts.emplace_back("clusters", metrics.clusters);
  evaluation.counts.emplace_back("gold_clusters", metrics.gold_clusters);
  return evaluation;
}

void warn_of(const LeftOut& left_out) {
  const auto warn = [](std::uint64_t rows, std::string_view one, std::string_view many) {
    if (rows > 0)
      print_warning(fmt::format("{} documents that aren't in --ids and {} left out",
                                human_counted(rows, one, many), rows == 1 ? "is" : "are"));
  };
  warn(left_out.gold_rows, "row of the gold file names", "rows of the gold file name");
  warn(left_out.judged_pairs, "judged pair names", "judged pairs name");
  warn(left_out.result_rows, "row of the result names", "rows of the result name");
  warn(left_out.claimed_pairs, "claimed pair names", "claimed pairs name");
}

Result<Evaluation> evaluate(const EvalFlags& flags) {
  LEITONG_ASSIGN(const MeasuredResult measured,
                 measure_result({flags.gold, flags.clusters, flags.pairs, flags.ids, flags.documents,
                                 !flags.report.empty()},
                                CommandContext({.threads = 1})));
  warn_of(measured.left_out);
  Evaluation evaluation = measured.judged     ? judge(*measured.judged)
                          : measured.clusters ? measure_clusters(*measured.clusters)
                                              : measure_pairs(measured.pairs, measured.documents);
  evaluation.measured = measured;
  return evaluation;
}

Result<void> write_report(const EvalFlags& flags, const Evaluation& evaluation, OutputFile& file) {
  const MeasuredResult& measured = evaluation.measured;
  EvalReport report;
  report.gold = flags.gold;
  report.inputs = {flags.clusters.empty() ? flags.pairs : flags.clusters};
  report.verified = false;
  report.texts = false;
  report.judged = measured.judged.has_value();
  report.gold_left_out = measured.left_out.gold_rows + measured.left_out.judged_pairs;
  report.errors = measured.errors;
  report.trials = {{report.inputs.front(), evaluation.figures, evaluation.counts, measured.error_rows}};
  return write_eval_report(report, file);
}

std::string table(const Evaluation& evaluation) {
  std::string out;
  for (const auto& [name, value] : evaluation.figures) out += fmt::format("{:<18} {:>12.4f}\n", name, value);
  for (const auto& [name, value] : evaluation.counts)
    out += fmt::format("{:<18} {:>12}\n", name, human_count(value));
  return out;
}

std::string json(const Evaluation& evaluation) {
  Json object;
  for (const auto& [name, value] : evaluation.figures) object[name] = value;
  for (const auto& [name, value] : evaluation.counts) object[name] = value;
  return object.dump(2) + "\n";
}

Result<void> run_methods(const EvalFlags& flags) {
  if (flags.methods.empty() || !flags.clusters.empty() || !flags.pairs.empty())
    return fail(
        ErrorCode::invalid_argument,
        "texts are evaluated by --methods A,B,.. (see leitong methods), results by --clusters or --pairs: "
        "one of the two");
  if (flags.documents > 0)
    return fail(ErrorCode::invalid_argument,
                "--documents is about results in files; texts are counted, and --ids names those that count");
  MethodTrial trial;
  trial.methods = flags.methods;
  trial.params = flags.params;
  trial.options.gold = flags.gold;
  trial.options.ids = flags.ids;
  trial.options.examples = flags.examples;
  trial.json = flags.json;
  trial.report = flags.report;
  trial.force = flags.force;
  LEITONG_ASSIGN(trial.options.assess.input, to_input(flags.input.files));
  trial.options.assess.find.verify = !flags.no_verify;
  trial.options.assess.find.audit = false;
  trial.context = flags.input.context;
  return eval_methods(trial);
}

Result<void> eval(EvalFlags& flags) {
  LEITONG_TRY(expand_patterns(flags.input.files.paths));
  std::vector<std::string> inputs = flags.input.files.paths;
  inputs.insert(inputs.end(), {flags.gold, flags.clusters, flags.pairs, flags.ids});
  LEITONG_TRY(check_standard_input(inputs));
  if (!flags.report.empty()) {
    std::erase(inputs, "");
    LEITONG_TRY(check_outputs({{"--report", flags.report}, {"the figures", "-"}}, inputs));
  }
  if (!flags.input.files.paths.empty() || !flags.methods.empty()) return run_methods(flags);
  if (flags.clusters.empty() == flags.pairs.empty())
    return fail(
        ErrorCode::invalid_argument,
        "name what is to be measured: --clusters FILE or --pairs FILE, one of them, or texts and --methods");
  if (!flags.ids.empty() && flags.documents > 0)
    return fail(ErrorCode::invalid_argument,
                "--ids and --documents both say which documents there are; leave one out");
  std::unique_ptr<OutputFile> report;
  if (!flags.report.empty()) {
    LEITONG_ASSIGN(report, OutputFile::create(flags.report, flags.force, told_to_stop()));
  }
  LEITONG_ASSIGN(const Evaluation evaluation, evaluate(flags));
  if (report) {
    LEITONG_TRY(write_report(flags, evaluation, *report));
    LEITONG_TRY(report->commit());
  }
  return print_data(flags.json ? json(evaluation) : table(evaluation));
}

}  // namespace

Run add_eval(CLI::App& app) {
  auto flags = std::make_shared<EvalFlags>();
  flags->input.context.threads = 1;
  add_text(app, "--gold", flags->gold, "FILE",
           "the truth, TSV: id and cluster (a document without a row is alone), or two ids and a label: 1 if "
           "the two are the same, 0 if not")
      .required();
  add_text(app, "--clusters", flags->clusters, "FILE",
           "the result to be measured, TSV: id and cluster, as leitong dedup --clusters writes it");
  add_text(
      app, "--pairs", flags->pairs, "FILE",
      "the result to be measured as pairs, TSV: two ids and any other columns, as leitong pairs writes it");
  add_text(app, "--ids", flags->ids, "FILE", "count only the documents of this list, one id a line");
  add_number(app, "--documents", flags->documents, "N", 1, kMostDocuments,
             "the number of documents, if the files leave out documents that are similar to no other");
  add_switch(app, "--json", flags->json, "print one JSON object instead of the table");
  add_text(app, "--report", flags->report, "FILE.html",
           "one HTML page with the figures, the false positives and the false negatives; if INPUT is given, "
           "both texts are shown side by side");
  add_switch(app, "--force", flags->force, "replace a report that exists");
  add_input_flags(app, flags->input);
  const char* const trial = "Methods side by side";
  add_list(app, "--methods", flags->methods, "NAME",
           "run these methods on INPUT and compare them; leitong methods lists them")
      .group(trial);
  add_list(app, "--param", flags->params, "NAME=VALUE", "a parameter of those methods that have it")
      .group(trial);
  add_switch(app, "--no-verify", flags->no_verify,
             "count the pairs that the method itself calls similar, as the literature does, instead of those "
             "that the rule has verified")
      .group(trial);
  add_number(app, "--examples", flags->examples, "N", 0, 1000,
             "show N false positives and N false negatives of each method, with their longest shared passage")
      .group(trial);
  add_resource_flags(app, flags->input.context);
  add_examples(
      app,
      "Pairs are counted among all pairs of documents. b_cubed is the mean over all\n"
      "documents (Bagga and Baldwin). adjusted_rand is 1 for the truth and 0 for a\n"
      "result by chance. dedup_rate is the share of documents that are removed. Without\n"
      "--ids and --documents, the documents are those that the files name.\n"
      "\n"
      "Methods run one after another, each in a process of its own, so that its peak of\n"
      "memory is known; they run on one thread if --threads is not given. Candidates\n"
      "are the pairs that are verified; with --no-verify they are the pairs that the\n"
      "method calls similar.\n"
      "\n"
      "Examples:\n"
      "  leitong eval corpus.jsonl --gold gold.tsv --methods default,minhash,simhash\n"
      "  leitong eval corpus.jsonl --gold gold.tsv --methods simhash,p-simhash --no-verify --examples 5\n"
      "  leitong eval --gold gold.tsv --clusters clusters.tsv\n"
      "  leitong eval --gold judged.tsv --pairs pairs.tsv.zst --json");
  return [flags] { return eval(*flags); };
}

}  // namespace leitong::cli
