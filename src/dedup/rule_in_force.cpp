#include "dedup/rule_in_force.hpp"

#include <algorithm>

#include "base/try.hpp"
#include "dedup/method.hpp"

namespace leitong {
namespace {

Rule of_shingles(const Params& params) {
  Rule rule =
      rule_of_measure(params.text("measure") == "containment" ? Measure::containment : Measure::jaccard,
                      params.number("threshold"));
  rule.shingle_units = static_cast<std::uint32_t>(params.whole("k"));
  return rule;
}

Rule of_edits(const Params& params) { return rule_of_measure(Measure::edit, params.number("threshold")); }

struct OwnRule {
  std::string_view method;
  Rule (*rule)(const Params&);
};
constexpr OwnRule kOwnRules[] = {{"shingle", of_shingles}, {"edit", of_edits}};

}  // namespace

Result<Rule> rule_in_force(const FindOptions& options) {
  if (options.rule != Rule()) return options.rule;
  for (const OwnRule& own : kOwnRules) {
    if (own.method != options.method) continue;
    LEITONG_ASSIGN(const Params params,
                   Params::parse(own.method, find_method(own.method)->params, options.params));
    // A verifier that reads the texts again counts units, not characters.
    if (options.verify && own.method == "edit" && params.text("symbols") == "characters")
      return fail(ErrorCode::invalid_argument,
                  "edits of characters are counted by the method itself, on the texts and exactly, and can't "
                  "be verified by "
                  "units: run it without verification");
    return own.rule(params);
  }
  return options.rule;
}

Result<FindOptions> in_force(const FindOptions& options) {
  FindOptions result = options;
  LEITONG_ASSIGN(result.rule, rule_in_force(options));
  const Rule& rule = result.rule;
  // The keys of the default method find texts that are similar as a whole.
  const bool below = rule.passage_units > 0 || rule.measure == Measure::containment ||
                     rule.least_share() < Rule().least_share();
  if (options.method != "default" || !below || rule.measure == Measure::edit) return result;
  result.method = "overlap";
  result.params = {rule.passage_units > 0 ? "passages=yes" : "passages=no"};
  return result;
}

Result<bool> ignores_templates(const FindOptions& options, const Rule& rule) {
  const bool possible = options.verify && (!rule.measure || rule.passage_units > 0);
  const MethodInfo* const method = find_method(options.method);
  const bool by_rule = method != nullptr && method->by_rule;
  if (options.templates == TemplateText::ignored && !possible)
    return fail(ErrorCode::invalid_argument,
                "templates can only be left out where pairs are verified by the default rule, and not by one "
                "measure alone or a method's own value; choose another method, or let templates count",
                "template_text",
                !options.verify ? "verify"
                : by_rule       ? "threshold"
                                : "method");
  if (options.templates == TemplateText::automatic) return possible && by_rule;
  return options.templates == TemplateText::ignored;
}

}  // namespace leitong
