#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "check_outputs.hpp"
#include "commands.hpp"
#include "eval_methods.hpp"
#include "evaluate/gold.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "run_flags.hpp"
#include "standard_input.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostDocuments = 1'000'000'000'000;

struct EvalFlags {
  InputFlags input;
  std::vector<std::string> methods, params;
  unsigned threads = 1, examples = 0;
  bool no_verify = false;
  std::string gold, clusters, pairs, ids;
  std::uint64_t documents = 0;
  bool json = false;
};

/// Figures in the order of the table: shown with four digits, written in full.
using Figures = std::vector<std::pair<std::string, double>>;

void add_score(Figures& figures, const std::string& name, const Score& score) {
  figures.emplace_back(name + "_precision", score.precision);
  figures.emplace_back(name + "_recall", score.recall);
  figures.emplace_back(name + "_f1", score.f1());
}

struct Evaluation {
  Figures figures;
  std::vector<std::pair<std::string, std::uint64_t>> counts;
};

/// The documents that count: all that a file names; with --ids those of its list; with --documents so many.
struct Universe {
  IdNumbers ids;
  std::size_t listed = 0;  // with --ids: they have the first numbers

  [[nodiscard]] Result<std::size_t> documents(const EvalFlags& flags) const {
    if (listed > 0) return listed;
    const std::uint64_t asked = flags.documents;
    if (asked == 0) return ids.size();
    if (asked < ids.size())
      return fail(ErrorCode::invalid_argument,
                  fmt::format("--documents {}: the files name {} documents", asked, ids.size()));
    return asked;
  }
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

/// Drops what lies outside of the universe; says how much.
template <class Item, class IsOutside>
void drop_outside(std::vector<Item>& items, std::string_view what, const IsOutside& is_outside) {
  const std::size_t dropped = std::erase_if(items, is_outside);
  if (dropped > 0)
    print_warning(fmt::format("{} {} name documents that aren't in --ids and are left out",
                              human_count(dropped), what));
}

Result<Evaluation> evaluate(const EvalFlags& flags) {
  Universe universe;
  IdNumbers& ids = universe.ids;
  if (!flags.ids.empty()) {
    LEITONG_TRY(read_ids(flags.ids, ids));
    universe.listed = ids.size();
    if (universe.listed == 0) return fail(ErrorCode::corrupt, fmt::format("{}: no ids", flags.ids));
  }
  LEITONG_ASSIGN(Gold gold, read_gold(flags.gold, ids));
  ClusterFile result;
  std::vector<DocumentPair> claimed;
  if (flags.clusters.empty()) {
    LEITONG_ASSIGN(claimed, read_claimed_pairs(flags.pairs, ids));
  } else {
    LEITONG_ASSIGN(result, read_clusters(flags.clusters, ids));
  }
  LEITONG_ASSIGN(const std::size_t documents, universe.documents(flags));

  const auto outside = [&](const DocumentPair& pair) {
    return pair.first >= documents || pair.second >= documents;
  };
  const auto row_outside = [&](const auto& row) { return row.first >= documents; };
  drop_outside(gold.clusters.rows, "rows of the gold file", row_outside);
  drop_outside(gold.pairs, "judged pairs", [&](const JudgedPair& judged) { return outside(judged.pair); });
  drop_outside(result.rows, "rows of the result", row_outside);
  drop_outside(claimed, "claimed pairs", outside);

  if (gold.judged)
    return judge(flags.clusters.empty() ? judged_metrics(gold.pairs, std::move(claimed))
                                        : judged_metrics(gold.pairs, labels_of(result, documents)));
  const std::vector<Label> truth = labels_of(gold.clusters, documents);
  if (flags.clusters.empty()) return measure_pairs(pair_metrics(truth, std::move(claimed)), documents);
  return measure_clusters(cluster_metrics(truth, labels_of(result, documents)));
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
  MethodTrial trial;
  trial.methods = flags.methods;
  trial.params = flags.params;
  trial.gold = flags.gold;
  trial.examples = flags.examples;
  trial.json = flags.json;
  LEITONG_ASSIGN(trial.options.input, to_input(flags.input));
  trial.options.find.verify = !flags.no_verify;
  trial.options.find.audit = false;
  trial.options.threads = flags.threads;
  return eval_methods(trial);
}

Result<void> eval(const EvalFlags& flags) {
  std::vector<std::string> inputs = flags.input.inputs;
  inputs.insert(inputs.end(), {flags.gold, flags.clusters, flags.pairs, flags.ids});
  LEITONG_TRY(check_standard_input(inputs));
  if (!flags.input.inputs.empty() || !flags.methods.empty()) return run_methods(flags);
  if (flags.clusters.empty() == flags.pairs.empty())
    return fail(
        ErrorCode::invalid_argument,
        "name what is to be measured: --clusters FILE or --pairs FILE, one of them, or texts and --methods");
  if (!flags.ids.empty() && flags.documents > 0)
    return fail(ErrorCode::invalid_argument,
                "--ids and --documents both say which documents there are; leave one out");
  LEITONG_ASSIGN(const Evaluation evaluation, evaluate(flags));
  return print_data(flags.json ? json(evaluation) : table(evaluation));
}

}  // namespace

Run add_eval(CLI::App& app) {
  auto flags = std::make_shared<EvalFlags>();
  add_text(app, "--gold", flags->gold, "FILE",
           "the truth, TSV: id and cluster (documents in no row are alone), or two ids and a label, 1 if "
           "they are the same")
      .required();
  add_text(app, "--clusters", flags->clusters, "FILE",
           "the result, TSV: id and cluster (of leitong dedup --clusters)");
  add_text(app, "--pairs", flags->pairs, "FILE",
           "or the result as pairs, TSV: two ids, anything (of leitong pairs)");
  add_text(app, "--ids", flags->ids, "FILE", "all documents, one id a line; others are left out");
  add_whole(app, "--documents", flags->documents, "N", 1, kMostDocuments,
            "or how many there are, where the files don't name those that are alone");
  add_switch(app, "--json", flags->json, "one JSON object instead of the table");
  add_input_flags(app, flags->input);
  const char* const trial = "Methods side by side";
  add_list(app, "--methods", flags->methods, "NAME",
           "methods to be run on the texts, as leitong methods lists them")
      .group(trial);
  add_list(app, "--param", flags->params, "NAME=VALUE", "a parameter, for those of the methods that have it")
      .group(trial);
  add_switch(app, "--no-verify", flags->no_verify,
             "take each method's own word, as the literature does; else every pair is verified by the rule")
      .group(trial);
  add_whole(app, "--examples", flags->examples, "N", 0, 1000,
            "show so many false positives and false negatives of each, with their longest shared passage")
      .group(trial);
  add_resource_flags(app, flags->input, flags->threads);
  add_examples(
      app,
      "Pairs are counted over all pairs of documents; b_cubed is the mean over\n"
      "documents (Bagga and Baldwin); adjusted_rand is 1 for the truth and 0 for\n"
      "chance; dedup_rate is the share of documents that leave. Without --ids or\n"
      "--documents the documents are those that the files name.\n"
      "\n"
      "Methods run one after another, on one thread if --threads doesn't say otherwise,\n"
      "each in a process of its own, whose peak of memory is its own. Candidates are\n"
      "the pairs that are verified, with --no-verify those that the method claims.\n"
      "\n"
      "Examples:\n"
      "  leitong eval corpus.jsonl --gold gold.tsv --methods default,minhash,simhash\n"
      "  leitong eval corpus.jsonl --gold gold.tsv --methods simhash,p-simhash --no-verify --examples 5\n"
      "  leitong eval --gold gold.tsv --clusters clusters.tsv\n"
      "  leitong eval --gold judged.tsv --pairs pairs.tsv.zst --json");
  return [flags] { return eval(*flags); };
}

}  // namespace leitong::cli
