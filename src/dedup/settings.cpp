#include "dedup/settings.hpp"

#include <fmt/core.h>

#include "base/try.hpp"
#include "index/cosine/centres.hpp"
#include "scheme/dictionaries.hpp"

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

namespace {

constexpr std::string_view kLimitNames[] = {"lossless", "careful", "wide", "similar"};
constexpr LossLimits kLimits[] = {{.005, 0}, {}, {.10, .03}, everything_similar()};
static_assert(std::size(kLimitNames) == std::size(kLimits));

}  // namespace

std::span<const std::string_view> loss_limit_names() noexcept { return kLimitNames; }

std::optional<LossLimits> loss_limits(std::string_view name) noexcept {
  for (std::size_t i = 0; i < std::size(kLimits); ++i)
    if (kLimitNames[i] == name) return kLimits[i];
  return std::nullopt;
}

Result<FindOptions> find_options(const DedupSettings& settings) {
  FindOptions options{.method = settings.method,
                      .params = settings.params,
                      .verify = settings.verify,
                      .audit = settings.measure_recall,
                      .templates = settings.templates,
                      .cosine = settings.cosine,
                      .vector_search = settings.vector_search,
                      .dictionaries = to_choice(settings.dictionaries),
                      .remove = settings.verify ? settings.remove : everything_similar()};
  const auto is_part = [](double part) { return part >= 0 && part <= 1; };
  if (!is_part(settings.remove.loss) || !is_part(settings.remove.run))
    return fail(ErrorCode::invalid_argument,
                fmt::format("the loss {} and its part in long stretches {} are not between 0 and 1",
                            settings.remove.loss, settings.remove.run));
  if (settings.preset != Preset::standard && (settings.strict_match || settings.measure))
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("the preset {} is a rule of its own, and a measure or a strict match asks for another "
                    "one; choose one of them",
                    preset_name(settings.preset)));
  if (!(settings.cosine >= 0 && settings.cosine <= 1))
    return fail(ErrorCode::invalid_argument,
                fmt::format("the cosine {} is not above 0 and at most 1", settings.cosine));
  if (settings.vector_search == VectorSearch::approximate) {
    if (settings.cosine == 0)
      return fail(ErrorCode::invalid_argument,
                  "an approximate search is one of vectors, and there are none; give vectors and a cosine");
    LEITONG_TRY(Centres::available());
  }
  if (settings.preset == Preset::strict) options.rule = strict_rule();
  if (settings.preset == Preset::reuse) options.rule = reuse_rule();
  if (settings.strict_match && settings.measure)
    return fail(
        ErrorCode::invalid_argument,
        "a strict match is a variant of the default rule, and a measure takes the place of that rule; "
        "choose one of them");
  if (settings.strict_match) options.rule.jaccard_short = options.rule.jaccard_long;
  if (!settings.measure) return options;
  const auto& [name, threshold] = *settings.measure;
  for (const Measure measure : {Measure::jaccard, Measure::containment, Measure::edit})
    if (measure_name(measure) == name) options.rule.measure = measure;
  if (!options.rule.measure)
    return fail(ErrorCode::invalid_argument,
                fmt::format("unknown measure \"{}\"; choose jaccard, containment or edit", name));
  if (!(threshold >= 0 && threshold <= 1))
    return fail(ErrorCode::invalid_argument, fmt::format("threshold {} is not between 0 and 1", threshold));
  options.rule.threshold = threshold;
  return options;
}

RecallEstimate recall_of(const Audit& audit) noexcept {
  const Interval interval = audit.direct_interval();
  static_assert(kConfidence == RecallEstimate::kConfidence);
  return {.sampled = audit.sampled_documents,
          .pairs = audit.pairs,
          .found = audit.direct,
          .linked = audit.linked,
          .both_stay = audit.both_stay,
          .all_sampled = audit.all_documents,
          .low = interval.low,
          .high = interval.high};
}

}  // namespace leitong
