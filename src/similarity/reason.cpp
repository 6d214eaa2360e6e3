#include "similarity/reason.hpp"

#include <fmt/compile.h>

#include <cmath>

#include "similarity/template_rule.hpp"

namespace leitong {
namespace {

std::string percent(float part) { return fmt::format("{:.0f} %", 100 * double{part}); }

std::string own_values(const WithoutTemplate& own) {
  return fmt::format(FMT_COMPILE("Jaccard {:.2f}, containment {:.2f}"), own.jaccard, own.containment);
}

// The two texts of the pair hold the template as well, so the number of other families is given.
std::string template_words(const WithoutTemplate& own) {
  return fmt::format("{} of what they share is a template{}", percent(own.template_share),
                     own.families > 2
                         ? fmt::format(" that about {} other families of texts hold", own.families - 2)
                         : std::string());
}

}  // namespace

WithoutTemplate own_measures(const VerifiedPair& pair) noexcept {
  if (pair.own.asked()) return pair.own;
  return {.jaccard = pair.jaccard, .containment = pair.containment};
}

namespace {

// There are millions of pairs, so the formats of the commonest reasons are compiled.
std::string settled_reason(const VerifiedPair& pair, bool accepted, NumberUnits numbers) {
  const WithoutTemplate& own = pair.own;
  if (!accepted) {
    if (own.template_share > 0)
      return fmt::format("not similar: {}; without it {}", template_words(own), own_values(own));
    return fmt::format("not similar: Jaccard {:.2f}, containment {:.2f}", pair.jaccard, pair.containment);
  }
  switch (pair.measure) {
    case Measure::identical:
      return "similar: the same text";
    case Measure::copy:
      return numbers == NumberUnits::masked ? "similar: a copy, which differs in numbers, signs or marks only"
                                            : "similar: a copy, which differs in signs or marks only";
    case Measure::own_text:
      return fmt::format(FMT_COMPILE("similar without their templates: {} (with them: Jaccard {:.2f})"),
                         own_values(own), pair.jaccard);
    case Measure::rare_text:
      return fmt::format("similar: {} of what they share is in no third text; Jaccard {:.2f}",
                         percent(own.rare_share), pair.jaccard);
    case Measure::passage:
      return fmt::format("similar: a common passage {} {} units{}; containment {:.2f}",
                         own.asked() ? "with" : "of", pair.passage_units,
                         own.asked() ? " that are no template" : "", pair.containment);
    case Measure::cosine:
      return fmt::format("similar: cosine {:.2f} of their vectors; Jaccard {:.2f}", pair.score, pair.jaccard);
    case Measure::estimate:
      return fmt::format("similar: estimated {:.2f}, not verified", pair.score);
    case Measure::jaccard:
    case Measure::containment:
    case Measure::edit:
      break;
  }
  std::string name(measure_name(pair.measure));
  name[0] = name[0] == 'j' ? 'J' : name[0];
  std::string reason = fmt::format(FMT_COMPILE("similar: {} {:.2f}"), name, pair.score);
  if (own.template_share > 0)
    reason += fmt::format("; {}; without it {}", template_words(own), own_values(own));
  return reason;
}

}  // namespace

std::string reason_of(const VerifiedPair& pair, bool accepted, NumberUnits numbers) {
  std::string reason = settled_reason(pair, accepted, numbers);
  if (accepted && pair.standing == PairStanding::doubtful)
    reason += fmt::format(
        "; what they share may be a template of fewer than {} families of texts, which the site field would "
        "show",
        TemplateRule::kFamilies);
  return reason;
}

std::string exact_percent(double part) {
  if (part == 0 || part == 1) return fmt::format("{:.0f} %", 100 * part);
  for (const int digits : {1, 2, 3, 4})
    if (const double shown = std::pow(.1, digits + 2) / 2; part >= shown && 1 - part >= shown)
      return fmt::format("{:.{}f} %", 100 * part, digits);
  return part < .5 ? "less than 0.0001 %" : "nearly all";
}

namespace {

std::string numbers_words(const Loss& loss) {
  return fmt::format("{} number{} differ{}", loss.numbers, loss.numbers == 1 ? "" : "s",
                     loss.numbers == 1 ? "s" : "");
}

}  // namespace

std::string loss_words(const Loss& loss) {
  if (loss.lost + loss.reworded == 0) return "the kept text holds all of it";
  std::string words = fmt::format("the kept text holds {} of it", exact_percent(1 - loss.share()));
  if (loss.reworded > 0) words += fmt::format(", {} of it reworded", exact_percent(loss.reworded_share()));
  if (loss.numbers > 0) words += ", " + numbers_words(loss);
  if (loss.longest > 0)
    words += fmt::format("; longest stretch lost: {} unit{}", loss.longest, loss.longest == 1 ? "" : "s");
  return words;
}

std::string staying_words(const Loss& loss) {
  if (loss.renamed) return "stays: the two differ in a name from the title on";
  if (loss.other_signs) return "stays: a copy that differs in signs that are text";
  return fmt::format("stays: {} of it stands nowhere else{}", exact_percent(loss.share()),
                     loss.numbers > 0 ? ", and " + numbers_words(loss) : "");
}

}  // namespace leitong
