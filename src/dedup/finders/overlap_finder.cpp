// Counts the dense keys of each pair. The candidates are pairs with as many common keys as the threshold asks
// for.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/try.hpp"
#include "dedup/finders/finders.hpp"
#include "index/overlap_join.hpp"
#include "scheme/overlap_keys.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {
namespace {

// The number of standard deviations by which the count of common keys may fall below what the rule asks. On
// the developers' sets less than one pair in a hundred of containment 0.15 and more is missed, and about four
// pairs are compared for one that is found (`./dev bench reuse`).
constexpr double kOverlapSlack = 1.0;

// Estimates the distinct shingles of a text with so many distinct keys: winnowing chooses 2 of every window +
// 1 (Schleimer et al. 2003, section 3.2).
double shingles_of(std::uint32_t units, std::uint32_t keys) {
  return keys * (dense_key_window(units) + 1) / 2.0;
}

class OverlapFinder final : public PairFinder {
 public:
  explicit OverlapFinder(const FinderContext& context)
      : rule_(context.templates && !context.rule.measure ? widened(context.rule) : context.rule),
        by_size_(rule_),
        verify_(context.verify),
        join_(dense_key_window, context.table, context.run) {
    by_size_.containment_min = 1;  // the lengths in units have been checked
  }

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    if (words.empty()) return {};
    const std::span<const std::uint64_t> keys = words.subspan(1);
    return join_.add(document, keys.first(words[0]), keys.subspan(words[0]));
  }

  Result<void> find(CandidateSink& sink) override {
    return join_.find(sink,
                      [this](std::uint32_t units_a, std::uint32_t keys_a, std::uint32_t units_b,
                             std::uint32_t keys_b) { return needed(units_a, keys_a, units_b, keys_b); });
  }

  Result<void> find_passages(CandidateSink& sink, std::span<const DocId> family) override {
    return join_.find_passages(sink, family);
  }

  [[nodiscard]] MethodFigures figures() const override {
    const OverlapJoin::Figures& f = join_.figures();
    return {{"keys", f.keys},
            {"long_keys", f.long_keys},
            {"shared_keys", f.shared_keys},
            {"hot_keys", f.hot_keys},
            {"hot_entries", f.hot_entries},
            {"template_long_keys", f.template_long_keys},
            {"hot_long_keys", f.hot_long_keys},
            {"raw_pairs", f.raw_pairs},
            {"walked", f.walked},
            {"distinct_pairs", f.distinct_pairs},
            {"hot_limited", f.limited}};
  }

 private:
  [[nodiscard]] double needed(std::uint32_t units_a, std::uint32_t keys_a, std::uint32_t units_b,
                              std::uint32_t keys_b) const {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    const double na = shingles_of(units_a, keys_a), nb = shingles_of(units_b, keys_b);
    if (!rule_.worth_verifying(units_a, units_b)) return kNever;
    double shared = rule_.threshold * std::min(na, nb);
    if (rule_.measure != Measure::containment) {
      const auto by_rule =
          by_size_.shared_needed(static_cast<std::size_t>(na), static_cast<std::size_t>(nb), false);
      if (!by_rule) return kNever;
      shared = static_cast<double>(*by_rule);
    }
    // The wider window chooses this part of the shared shingles.
    const double expected = 2 * shared / (dense_key_window(std::max(units_a, units_b)) + 1);
    return verify_ ? std::max(1.0, expected - kOverlapSlack * std::sqrt(expected)) : expected;
  }

  Rule rule_, by_size_;
  bool verify_;
  OverlapJoin join_;
};

}  // namespace

MadeFinder make_overlap_finder(const Scheme&, const Params&, const FinderContext& context) {
  if (context.rule.measure == Measure::edit)
    return fail(ErrorCode::unsupported,
                "the method overlap counts shingles, which say little of edits; take another measure, or the "
                "method edit");
  return std::make_unique<OverlapFinder>(context);
}

}  // namespace leitong
