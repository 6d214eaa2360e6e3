#include "job/tune.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include "base/hash.hpp"
#include "base/try.hpp"
#include "evaluate/gold.hpp"
#include "feature/term_hash.hpp"
#include "io/run_context.hpp"
#include "job/assess.hpp"

namespace leitong {
namespace {

constexpr unsigned kLoosestDistance = 16;

/// The settings of a method for one run that holds the result of every threshold.
struct Loosest {
  std::vector<std::string> params;
  Rule rule;
  bool verify = false;
  std::vector<double> thresholds;  // for the pairs' scores, descending
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
    settings.rule = rule_of_measure(Measure::jaccard, least);
    settings.verify = method.name != "minhash";
  }
  for (int percent = 95; percent >= 100 * least - .5; percent -= 5)
    settings.thresholds.push_back(percent / 100.0);
  return settings;
}

std::string setting_of(const Loosest& settings, double threshold) {
  if (settings.bits) return fmt::format("distance={}", std::lround((1 - threshold) * *settings.bits));
  return fmt::format("threshold={:.2f}", threshold);
}

Result<Assessed> run(const TuneOptions& options, const Loosest& settings, const Context& context) {
  AssessOptions assessed;
  assessed.input = options.input;
  assessed.find = {.method = options.method,
                   .params = settings.params,
                   .rule = settings.rule,
                   .verify = settings.verify,
                   .audit = false};
  LEITONG_ASSIGN(auto result, assess(assessed, context));
  return std::move(result.first);
}

Result<const MethodInfo*> method_of(const TuneOptions& options) {
  if (const MethodInfo* method = find_method(options.method)) return method;
  return fail(ErrorCode::invalid_argument, fmt::format("unknown method \"{}\"", options.method));
}

/// The truth uses ids: a pair of documents with the same ids counts once, with its best score.
std::vector<ScoredPair> pairs_of_ids(const Assessed& found, const std::vector<std::uint32_t>& number) {
  std::vector<ScoredPair> pairs;
  pairs.reserve(found.pairs.size());
  for (const VerifiedPair& pair : found.pairs)
    if (number[pair.a] != number[pair.b])
      pairs.push_back(
          {std::minmax(number[pair.a], number[pair.b]), are_copies(pair.measure) ? 1 : pair.score});
  std::sort(pairs.begin(), pairs.end(), [](const ScoredPair& x, const ScoredPair& y) {
    return std::tie(x.pair, y.score) < std::tie(y.pair, x.score);
  });
  const auto same = [](const ScoredPair& x, const ScoredPair& y) { return x.pair == y.pair; };
  pairs.erase(std::unique(pairs.begin(), pairs.end(), same), pairs.end());
  return pairs;
}

}  // namespace

std::string_view tuned_param(const MethodInfo& method) {
  for (const std::string_view name : {"distance", "threshold"})
    for (const ParamInfo& param : method.params)
      if (param.name == name) return param.name;
  return {};
}

Result<Tuned> tune(const TuneOptions& options, const std::string& gold, const Context& context) {
  LEITONG_ASSIGN(const MethodInfo* const method, method_of(options));
  const Loosest settings = loosest(*method, options.params);
  LEITONG_ASSIGN(const Assessed found, run(options, settings, context));
  LEITONG_ASSIGN(const GoldOfDocuments of, read_gold_of(gold, found.ids, {}, RunContext(context).stop));
  if (of.gold.same_pairs() == 0)
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} names no two documents of the input that belong together, so no setting is "
                            "better than another",
                            gold));
  std::vector<std::uint64_t> names(of.numbers);
  for (std::size_t d = 0; d < found.ids.size(); ++d)
    names[of.number[d]] = term_hash(TermHash::xxh3, found.ids[d]);
  const std::vector<ScoredPair> pairs = pairs_of_ids(found, of.number);

  Tuned tuned;
  tuned.repeated_ids = found.ids.size() - of.numbers;
  tuned.without_signature = found.without_signature;
  tuned.absent = of.absent;
  const auto measure = [&](const auto& split) {
    tuned.curve = threshold_curve(split, pairs, settings.thresholds);
    for (std::size_t i = 1; i < tuned.curve.size(); ++i)
      if (tuned.curve[i].tune.f1() > tuned.curve[tuned.best].tune.f1()) tuned.best = i;
    tuned.interval = bootstrap_f1(split, pairs, tuned.curve[tuned.best].threshold, Half::test);
  };
  if (of.gold.judged)
    measure(split_pairs(of.gold.pairs, names));
  else
    measure(split_gold(labels_of(of.gold.clusters, of.numbers), names));
  tuned.setting = setting_of(settings, tuned.curve[tuned.best].threshold);
  return tuned;
}

Result<std::vector<std::pair<std::string, std::string>>> pairs_to_label(const TuneOptions& options,
                                                                        std::uint64_t count,
                                                                        const Context& context) {
  LEITONG_ASSIGN(const MethodInfo* const method, method_of(options));
  LEITONG_ASSIGN(Assessed found, run(options, loosest(*method, options.params), context));
  std::erase_if(found.pairs,
                [&](const VerifiedPair& pair) { return found.ids[pair.a] == found.ids[pair.b]; });
  const auto tenth = [](const VerifiedPair& pair) { return static_cast<std::size_t>(10 * pair.score); };
  std::sort(found.pairs.begin(), found.pairs.end(), [&](const VerifiedPair& x, const VerifiedPair& y) {
    return std::tuple(tenth(x), mix64(std::uint64_t{x.a} << 32 | x.b)) <
           std::tuple(tenth(y), mix64(std::uint64_t{y.a} << 32 | y.b));
  });
  std::array<std::uint64_t, 11> taken{};  // number of pairs taken of each tenth, and of the score 1
  for (const VerifiedPair& pair : found.pairs) taken[tenth(pair)] = 1;
  const auto tenths = static_cast<std::uint64_t>(std::count(taken.begin(), taken.end(), 1u));
  const std::uint64_t each = std::max<std::uint64_t>(1, count / std::max<std::uint64_t>(1, tenths));
  taken.fill(0);
  std::vector<std::pair<std::string, std::string>> chosen;
  for (const VerifiedPair& pair : found.pairs)
    if (taken[tenth(pair)]++ < each) chosen.emplace_back(found.ids[pair.a], found.ids[pair.b]);
  return chosen;
}

}  // namespace leitong
