#include "dedup/find_options.hpp"

#include "base/try.hpp"
#include "index/cosine/centres.hpp"
#include "leitong/settings.hpp"
#include "similarity/loss_limits.hpp"

namespace leitong {

std::string_view preset_name(Preset preset) noexcept {
  switch (preset) {
    case Preset::standard:
      return "default";
    case Preset::strict:
      return "strict";
    case Preset::reuse:
      return "reuse";
  }
  return "default";
}

std::string_view vector_search_name(VectorSearch search) noexcept {
  return search == VectorSearch::approximate ? "approximate" : "exact";
}

Folding folding_of(const DedupSettings& settings) noexcept {
  return {settings.marks,
          settings.removal.numbers == Numbers::masked ? NumberUnits::masked : NumberUnits::same};
}

LossLimits limits_of(const RemovalSettings& settings) noexcept {
  constexpr std::uint32_t kAnyRun = UINT32_MAX;
  constexpr LossLimits kLimits[] = {
      {.loss = .005, .run = 0}, {}, {.loss = .10, .run = .03, .longest_run = kAnyRun}, everything_similar()};
  LossLimits limits = kLimits[static_cast<std::size_t>(settings.remove)];
  if (settings.loss)
    limits = {.loss = *settings.loss,
              .run = settings.loss_run.value_or(std::min(LossLimits().run, *settings.loss)),
              .longest_run = kAnyRun};
  if (settings.numbers != Numbers::same) limits.number = 0;
  return limits;
}

Result<FindOptions> find_options(const DedupSettings& settings) {
  LEITONG_TRY(check_settings(settings));
  FindOptions options{.method = settings.method,
                      .params = settings.params,
                      .verify = settings.verify,
                      .audit = settings.measure_recall,
                      .recall_sample = settings.recall_sample,
                      .templates = settings.template_text,
                      .cosine = settings.cosine,
                      .vector_search = settings.vector_search,
                      .dictionaries = {settings.dictionaries},
                      .folding = folding_of(settings),
                      .remove = settings.verify ? limits_of(settings.removal) : everything_similar()};
  options.covering = settings.keep.by == Keep::covering;
  if (options.covering && !asks_for_losses(options.remove))
    return fail(
        ErrorCode::invalid_argument,
        "the keep policy covering: it goes by what each text lacks of the others, which nobody asks for "
        "where all that is similar leaves or nothing is verified; choose other limits of what may be "
        "lost, or another policy",
        "keep");
  if (settings.vector_search == VectorSearch::approximate) LEITONG_TRY(Centres::available());
  if (settings.preset == Preset::strict) options.rule = strict_rule();
  if (settings.preset == Preset::reuse) options.rule = reuse_rule();
  if (settings.strict_match) options.rule.jaccard_short = options.rule.jaccard_long;
  if (!settings.threshold) return options;
  options.rule = rule_of_measure(Measure::jaccard, *settings.threshold);
  for (const Measure measure : {Measure::containment, Measure::edit})
    if (measure_name(measure) == settings.measure) options.rule.measure = measure;
  return options;
}

}  // namespace leitong
