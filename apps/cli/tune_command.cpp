#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include "base/hash.hpp"
#include "base/stop.hpp"
#include "check_outputs.hpp"
#include "commands.hpp"
#include "dedup/method.hpp"
#include "evaluate/curve.hpp"
#include "evaluate/gold.hpp"
#include "feature/term_hash.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "io/output_file.hpp"
#include "io/tsv.hpp"
#include "job/assess.hpp"
#include "method_params.hpp"
#include "run_flags.hpp"
#include "standard_input.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

struct TuneFlags {
  InputFlags input;
  std::vector<std::string> params, sweep;
  std::string method = "default", gold, curve, label;
  unsigned threads = 0, count = 200;
  bool force = false;
};

constexpr unsigned kLoosestDistance = 16;

/// The parameter that is tuned; none if it is the rule's threshold.
std::string_view tuned_param(const MethodInfo& method) {
  for (const std::string_view name : {"distance", "threshold"})
    if (has_param(method, name)) return name;
  return {};
}

/// How a method is run so that one run holds the result of every threshold.
struct Loosest {
  std::vector<std::string> params;
  Rule rule;
  bool verify = false;
  std::vector<double> thresholds;  // of the pairs' scores, falling
  std::optional<unsigned> bits;    // thresholds are 1 - distance / bits
};

Loosest loosest(const MethodInfo& method, const std::vector<std::string>& given) {
  Loosest settings{given, {}, false, {}, std::nullopt};
  if (tuned_param(method) == "distance") {
    settings.bits = std::find(given.begin(), given.end(), "bits=128") == given.end() ? 64 : 128;
    settings.params.push_back(fmt::format("distance={}", kLoosestDistance));
    for (unsigned d = 0; d <= kLoosestDistance; ++d)
      settings.thresholds.push_back(1 - static_cast<double>(d) / *settings.bits);
    // A score is stored in single precision.
    for (double& threshold : settings.thresholds) threshold -= 1e-6;
    return settings;
  }
  const double least = method.name == "edit" ? .5 : .1;
  if (tuned_param(method) == "threshold") {
    settings.params.push_back(fmt::format("threshold={}", least));
  } else {
    settings.rule.measure = Measure::jaccard;
    settings.rule.threshold = least;
    settings.verify = method.name != "minhash";
  }
  for (int percent = 95; percent >= 100 * least - .5; percent -= 5)
    settings.thresholds.push_back(percent / 100.0);
  return settings;
}

struct Tried {
  std::string value;             // of the swept parameter
  std::size_t repeated_ids = 0;  // documents with an id that an earlier one has
  std::vector<CurvePoint> curve;
  std::size_t best = 0;  // of the half that is tuned on
  Interval interval;     // of F1 at the best point on the other half
};

std::string setting_of(const Loosest& settings, double threshold) {
  if (settings.bits) return fmt::format("distance={}", std::lround((1 - threshold) * *settings.bits));
  return fmt::format("threshold={:.2f}", threshold);
}

Result<Assessed> run(const TuneFlags& flags, const Loosest& settings) {
  AssessOptions options;
  LEITONG_ASSIGN(options.input, to_input(flags.input));
  options.find = {flags.method, settings.params, settings.rule, settings.verify, false};
  options.threads = flags.threads;
  LEITONG_ASSIGN(auto assessed, assess(options, stop_flag()));
  return std::move(assessed.first);
}

/// The truth speaks of ids: of documents that share theirs a pair counts once, with its best score.
std::vector<ScoredPair> pairs_of_ids(const Assessed& found, const std::vector<std::uint32_t>& number) {
  std::vector<ScoredPair> pairs;
  pairs.reserve(found.pairs.size());
  for (const VerifiedPair& pair : found.pairs)
    if (number[pair.a] != number[pair.b])
      pairs.push_back(
          {std::minmax(number[pair.a], number[pair.b]), pair.measure == Measure::identical ? 1 : pair.score});
  std::sort(pairs.begin(), pairs.end(), [](const ScoredPair& x, const ScoredPair& y) {
    return std::tie(x.pair, y.score) < std::tie(y.pair, x.score);
  });
  const auto same = [](const ScoredPair& x, const ScoredPair& y) { return x.pair == y.pair; };
  pairs.erase(std::unique(pairs.begin(), pairs.end(), same), pairs.end());
  return pairs;
}

Result<Tried> try_value(const TuneFlags& flags, const MethodInfo& method,
                        const std::vector<std::string>& params, std::string value) {
  const Loosest settings = loosest(method, params);
  LEITONG_ASSIGN(const Assessed found, run(flags, settings));
  if (found.without_signature > 0)
    print_warning(fmt::format("{}; no setting finds more than exact copies of these",
                              lacking(flags.method, found.without_signature)));
  LEITONG_ASSIGN(const GoldOfDocuments of, read_gold_of(flags.gold, found.ids));
  std::vector<std::uint64_t> names(of.numbers, 0);
  for (std::size_t d = 0; d < found.ids.size(); ++d)
    names[of.number[d]] = term_hash(TermHash::xxh3, found.ids[d]);
  const std::set<std::uint32_t> distinct(of.number.begin(), of.number.end());
  const std::vector<ScoredPair> pairs = pairs_of_ids(found, of.number);
  Tried tried{std::move(value), of.number.size() - distinct.size(), {}, 0, {}};
  const auto measure = [&](const auto& split) {
    tried.curve = threshold_curve(split, pairs, settings.thresholds);
    for (std::size_t i = 1; i < tried.curve.size(); ++i)
      if (tried.curve[i].tune.f1() > tried.curve[tried.best].tune.f1()) tried.best = i;
    tried.interval = bootstrap_f1(split, pairs, tried.curve[tried.best].threshold, Half::test);
  };
  if (of.gold.judged)
    measure(split_pairs(of.gold.pairs, names));
  else
    measure(split_gold(labels_of(of.gold.clusters, of.numbers), names));
  return tried;
}

Result<void> write_curve(OutputFile& file, const std::vector<Tried>& all) {
  LEITONG_TRY(file.write(
      "value\tthreshold\ttune_precision\ttune_recall\ttune_f1\ttest_precision\ttest_recall\ttest_f1\n"));
  for (const Tried& tried : all)
    for (const CurvePoint& point : tried.curve)
      LEITONG_TRY(
          file.write(fmt::format("{}\t{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\n", tried.value,
                                 point.threshold, point.tune.precision, point.tune.recall, point.tune.f1(),
                                 point.test.precision, point.test.recall, point.test.f1())));
  return file.commit();
}

/// An even choice of pairs from each tenth of the scores, in a fixed random order, for a person to label.
Result<void> write_sample(const TuneFlags& flags, const MethodInfo& method) {
  LEITONG_ASSIGN(const auto file, OutputFile::create(flags.label, flags.force));
  LEITONG_ASSIGN(Assessed found, run(flags, loosest(method, flags.params)));
  std::erase_if(found.pairs,
                [&](const VerifiedPair& pair) { return found.ids[pair.a] == found.ids[pair.b]; });
  std::sort(found.pairs.begin(), found.pairs.end(), [](const VerifiedPair& x, const VerifiedPair& y) {
    return std::tuple(static_cast<int>(10 * x.score), mix64(std::uint64_t{x.a} << 32 | x.b)) <
           std::tuple(static_cast<int>(10 * y.score), mix64(std::uint64_t{y.a} << 32 | y.b));
  });
  std::vector<std::size_t> tenths(12, 0);
  for (const VerifiedPair& pair : found.pairs) tenths[static_cast<std::size_t>(10 * pair.score)] = 1;
  const auto groups = static_cast<double>(std::count(tenths.begin(), tenths.end(), std::size_t{1}));
  const auto each =
      static_cast<std::size_t>(std::max(1.0, static_cast<double>(flags.count) / std::max(1.0, groups)));
  std::fill(tenths.begin(), tenths.end(), 0);
  for (const VerifiedPair& pair : found.pairs) {
    if (tenths[static_cast<std::size_t>(10 * pair.score)]++ >= each) continue;
    std::string row;
    append_tsv_field(found.ids[pair.a], row);
    row += '\t';
    append_tsv_field(found.ids[pair.b], row);
    LEITONG_TRY(file->write(row + "\t?\n"));
  }
  LEITONG_TRY(file->commit());
  print_note("replace each ? by 1 (the same) or 0, then: leitong tune .. --gold " + flags.label);
  return {};
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
  std::vector<std::string> inputs = flags.input.inputs;
  if (!flags.gold.empty()) inputs.push_back(flags.gold);
  append_param_files(flags.params, inputs);
  append_param_files(flags.sweep, inputs);
  return check_outputs({{"--curve", flags.curve},
                        {"--label", flags.label},
                        {"the table of results", flags.label.empty() ? "-" : ""}},
                       inputs);
}

Result<void> tune(TuneFlags& flags) {
  LEITONG_TRY(default_to_standard_input(flags.input.inputs));
  const MethodInfo& method = *find_method(flags.method);  // --method takes no other name
  if (flags.gold.empty() == flags.label.empty())
    return fail(ErrorCode::invalid_argument,
                "name the truth (--gold FILE), or a file for pairs that a person shall label (--label FILE)");
  LEITONG_ASSIGN(const Sweep sweep, sweep_of(flags));
  LEITONG_TRY(check_sources(flags, method, sweep));
  LEITONG_TRY(check_files(flags));
  if (!flags.label.empty()) return write_sample(flags, method);

  std::unique_ptr<OutputFile> curve;
  if (!flags.curve.empty()) {
    LEITONG_ASSIGN(curve, OutputFile::create(flags.curve, flags.force));
  }
  std::vector<Tried> all;
  std::string out = fmt::format("{:<12} {:<16} {:>9} {:>8} {:>8} {:>8}  {}\n", sweep.name, "best setting",
                                "F1 (tune)", "P (test)", "R (test)", "F1", "95 % of it");
  for (const std::string& value : sweep.values) {
    std::vector<std::string> params = flags.params;
    if (!sweep.name.empty()) params.push_back(fmt::format("{}={}", sweep.name, value));
    LEITONG_ASSIGN(const Tried tried, try_value(flags, method, params, value));
    const CurvePoint& best = tried.curve[tried.best];
    out +=
        fmt::format("{:<12} {:<16} {:>9.4f} {:>8.4f} {:>8.4f} {:>8.4f}  {:.4f} to {:.4f}\n", value,
                    setting_of(loosest(method, params), best.threshold), best.tune.f1(), best.test.precision,
                    best.test.recall, best.test.f1(), tried.interval.low, tried.interval.high);
    all.push_back(tried);
  }
  if (const std::size_t repeated = all.front().repeated_ids; repeated > 0)
    print_warning(fmt::format("{} an id that an earlier one has; each id counts as one document",
                              human_counted(repeated, "record has", "records have")));
  if (curve) LEITONG_TRY(write_curve(*curve, all));
  return print_data(out);
}

}  // namespace

Run add_tune(CLI::App& app) {
  auto flags = std::make_shared<TuneFlags>();
  add_input_flags(app, flags->input);
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) names.emplace_back(method.name);
  add_choice(app, "--method", flags->method, names, "whose threshold or distance is tuned (default)");
  add_list(app, "--param", flags->params, "NAME=VALUE", "a parameter of the method that stays as it is");
  add_list(app, "--sweep", flags->sweep, "NAME=VALUES",
           "a parameter of which several values are tried, as in mu=1.2,1.5,1.8: one run each");
  add_text(app, "--gold", flags->gold, "FILE", "the truth, as for leitong eval");
  add_text(app, "--curve", flags->curve, "FILE",
           "TSV: precision, recall and F1 of every value and threshold");
  add_text(app, "--label", flags->label, "FILE",
           "without truth: write pairs of all scores for a person to label, two ids and a ?");
  add_whole(app, "--count", flags->count, "N", 1, 1'000'000, "with --label: about so many (200)");
  add_switch(app, "--force", flags->force, "replace outputs that exist");
  add_resource_flags(app, flags->input, flags->threads);
  add_examples(app,
               "One run at the loosest setting holds the result of every stricter one.\n"
               "Clusters of the truth, or judged pairs, are divided into two halves by their\n"
               "ids: the best setting is chosen on one and measured on the other, with an\n"
               "interval from resampled clusters or pairs.\n"
               "\n"
               "Examples:\n"
               "  leitong tune corpus.jsonl --gold gold.tsv --method simhash --curve curve.tsv\n"
               "  leitong tune corpus.jsonl --gold gold.tsv --method p-simhash --sweep mu=1.0,1.4,1.8\n"
               "  leitong tune corpus.jsonl --method minhash --label pairs.tsv");
  return [flags] { return tune(*flags); };
}

}  // namespace leitong::cli
