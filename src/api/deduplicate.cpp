#include <fmt/core.h>

#include <algorithm>

#include "corpus/memory_documents.hpp"
#include "dedup/find_pairs.hpp"
#include "io/run_context.hpp"
#include "job/text_list.hpp"
#include "leitong/dedup.hpp"

namespace leitong {
namespace {

Result<Rule> rule_of(const DedupSettings& settings) {
  Rule rule;
  if (settings.strict_match) rule.jaccard_short = rule.jaccard_long;
  if (!settings.measure) return rule;
  const auto& [name, threshold] = *settings.measure;
  for (const Measure measure : {Measure::jaccard, Measure::containment, Measure::edit})
    if (measure_name(measure) == name) rule.measure = measure;
  if (!rule.measure)
    return fail(ErrorCode::invalid_argument,
                fmt::format("unknown measure \"{}\"; choose jaccard, containment or edit", name));
  if (!(threshold >= 0 && threshold <= 1))
    return fail(ErrorCode::invalid_argument, fmt::format("threshold {} is not between 0 and 1", threshold));
  rule.threshold = threshold;
  return rule;
}

}  // namespace

Result<DedupResult> deduplicate(const Context& context, std::span<const std::string_view> texts,
                                const DedupSettings& settings) {
  LEITONG_ASSIGN(FindOptions options, rule_of(settings).map([&](const Rule& rule) {
    return FindOptions{settings.method, settings.params, rule, true, false};
  }));
  LEITONG_TRY(check_texts(texts));

  MemoryDocuments source(texts);
  RunContext run(context);
  LEITONG_ASSIGN(const Found found,
                 on_threads(context, [&] { return find_pairs(source, options, longest_first, run); }));

  DedupResult result;
  result.kept.assign(found.settlement.kept.begin(), found.settlement.kept.end());
  LEITONG_TRY(found.pairs->for_each([&](const VerifiedPair& p) {
    result.pairs.push_back({p.a, p.b, p.jaccard, p.containment});
  }));
  for (const Copy& c : found.copies) result.pairs.push_back({c.original, c.copy, 1, 1});
  std::sort(result.pairs.begin(), result.pairs.end(),
            [](const auto& x, const auto& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  result.stage_seconds = found.stage_seconds;
  return result;
}

Result<DedupResult> deduplicate(std::span<const std::string_view> texts, const DedupSettings& settings) {
  return deduplicate(Context({.threads = 1}), texts, settings);
}

}  // namespace leitong
