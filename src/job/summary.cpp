// Writes the summary of a run as JSON.
#include <nlohmann/json.hpp>

#include "leitong/settings.hpp"

namespace leitong {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kDefaultRule = "jaccard or containment";

Json to_json(const Setting& setting, const SettingValue& value) {
  if (const auto* const texts = std::get_if<std::vector<std::string>*>(&value)) return **texts;
  if (const auto* const yes = std::get_if<bool*>(&value)) return **yes;
  if (const auto* const number = std::get_if<double*>(&value)) return **number;
  if (const auto* const bytes = std::get_if<std::uint64_t*>(&value)) return **bytes;
  if (const auto* const paths = std::get_if<std::vector<std::filesystem::path>*>(&value)) {
    Json names = Json::array();
    for (const std::filesystem::path& path : **paths) names.push_back(path.string());
    return names;
  }
  return text_of(setting, value);
}

Json settings(const DedupJob& job, const DedupSummary& summary) {
  Json json;
  DedupJob asked = job;
  const auto add = [&](const Setting& setting, const SettingValue& value) {
    if (!std::holds_alternative<ParamValue>(value)) json[std::string(setting.name)] = to_json(setting, value);
  };
  each_setting(asked, add);
  DedupOutputs outputs;  // outputs are not settings of the run
  each_setting(outputs,
               [&](const Setting& setting, const SettingValue&) { json.erase(std::string(setting.name)); });
  const DecisionRule& rule = summary.rule;
  json["measure"] = rule.measure;
  if (rule.measure != kDefaultRule) {
    json["threshold"] = rule.threshold;
    json["shingle_units"] = rule.shingle_units;
    if (rule.passage_units > 0) json["passage_units"] = rule.passage_units;
  } else {
    json["jaccard_short"] = rule.jaccard_short;
    json["jaccard_long"] = rule.jaccard_long;
    json["containment"] = rule.containment;
    json.erase("threshold");
  }
  if (job.settings.verify) {
    const LossLimits limits = limits_of(job.settings.removal);
    json["loss"] = limits.loss;
    json["loss_run"] = limits.run;
    if (limits.longest_run < UINT32_MAX) json["longest_lost_run"] = limits.longest_run;
  }
  json["threads"] = summary.threads;
  json["memory"] = summary.memory;
  return json;
}

}  // namespace

std::string to_json(const DedupSummary& s, const DedupJob& job) {
  Json json{{"records", s.records},
            {"documents", s.documents},
            {"reference", s.reference},
            {"kept", s.kept},
            {"removed", s.removed},
            {"relatives", s.relatives},
            {"removed_units", s.removed_units},
            {"lost_units", s.lost_units},
            {"quarantined", s.quarantined},
            {"other_records", s.other_records},
            {"truncated_inputs", s.truncated_inputs},
            {"copies", s.copies},
            {"removed_copies", s.removed_copies},
            {"clusters", s.clusters},
            {"largest_cluster", s.largest_cluster},
            {"components", s.components},
            {"largest_component", s.largest_component},
            {"chained_components", s.chained_components},
            {"candidates", s.candidates},
            {"pairs", s.pairs},
            {"hot_unmatched", s.hot_unmatched},
            {"hot_limited", s.hot_limited},
            {"without_signature", s.without_signature},
            {"page_artifacts", s.page_artifacts},
            {"with_page_artifacts", s.with_page_artifacts},
            {"without_keep_value", s.without_keep_value},
            {"without_site", s.without_site},
            {"without_group", s.without_group},
            {"kept_for_value", s.kept_for_value},
            {"resampled", s.resampled},
            {"hash_collisions", s.hash_collisions},
            {"repeated_ids", s.repeated_ids},
            {"bytes", s.bytes},
            {"text_bytes", s.text_bytes},
            {"kept_bytes", s.kept_bytes},
            {"seconds", s.seconds},
            {"peak_memory", s.peak_memory}};
  if (!job.outputs.index.empty()) json["index"] = {{"texts", s.indexed}, {"refused", s.not_indexed}};
  for (const RepeatedId& r : s.repeated_examples)
    json["repeated_id_examples"].push_back(
        {{"id", r.id}, {"first", r.first_place}, {"second", r.second_place}});
  for (const auto& [stage, seconds] : s.stage_seconds) json["stage_seconds"][stage] = seconds;
  const RecallEstimate& recall = s.recall;
  if (recall.sampled > 0) {
    json["recall"] = {{"sampled_documents", recall.sampled},
                      {"pairs", recall.pairs},
                      {"direct", recall.found},
                      {"linked", recall.linked},
                      {"both_stay", recall.both_stay},
                      {"all_documents", recall.all_sampled}};
    if (recall.pairs > 0) {
      json["recall"]["direct_recall"] = recall.direct();
      json["recall"]["direct_interval"] = {recall.low, recall.high};
      json["recall"]["confidence"] = RecallEstimate::kConfidence;
      json["recall"]["linked_recall"] = recall.by_chains();
    }
  }
  for (const auto& [name, value] : s.method_figures) json["method_figures"][name] = value;
  const TemplateCounts& templates = s.templates;
  if (templates.pairs_in_question + templates.pairs_doubtful > 0)
    json["templates"] = {{"pairs_in_question", templates.pairs_in_question},
                         {"documents_counted", templates.documents_counted},
                         {"template_shingles", templates.shingles},
                         {"pairs_refused", templates.pairs_refused},
                         {"pairs_won", templates.pairs_won},
                         {"pairs_doubtful", templates.pairs_doubtful},
                         {"only_base", templates.only_base},
                         {"url_would_help", templates.url_would_help}};
  if (job.settings.cosine > 0) {
    json["vectors"] = {
        {"compared", s.vectors.compared}, {"unusable", s.vectors.unusable}, {"pairs", s.vectors.pairs}};
    if (s.vectors.unusable > 0) json["vectors"]["first_unusable"] = s.first_unusable_vector;
    if (job.settings.vector_search == VectorSearch::approximate)
      json["vectors"]["limited"] = s.vectors.limited;
    if (const VectorRecall& found = s.vectors.recall; found.sampled > 0) {
      json["vectors"]["recall"] = {
          {"sampled_documents", found.sampled}, {"pairs", found.pairs}, {"direct", found.found}};
      if (found.pairs > 0) {
        json["vectors"]["recall"]["direct_recall"] = found.direct();
        json["vectors"]["recall"]["direct_interval"] = {found.low, found.high};
        json["vectors"]["recall"]["confidence"] = RecallEstimate::kConfidence;
      }
    }
  }
  json["settings"] = settings(job, s);
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace leitong
