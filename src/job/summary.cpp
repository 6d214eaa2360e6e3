// The run's summary as JSON.
#include <nlohmann/json.hpp>

#include "job/outcome.hpp"
#include "job/run.hpp"

namespace leitong {
namespace {

using Json = nlohmann::ordered_json;

Json settings(const DedupOptions& options, const DedupSummary& summary) {
  const Rule& rule = summary.rule;
  Json json{
      {"method", options.find.method}, {"params", options.find.params}, {"verify", options.find.verify}};
  if (rule.measure) {
    json["measure"] = measure_name(*rule.measure);
    json["threshold"] = rule.threshold;
    json["shingle_units"] = rule.shingle_units;
  } else {
    json["measure"] = "jaccard or containment";
    json["jaccard_short"] = rule.jaccard_short;
    json["jaccard_long"] = rule.jaccard_long;
    json["containment"] = rule.containment;
  }
  json["keep"] = to_string(options.keep);
  json["inputs"] = options.input.paths;
  json["references"] = options.input.reference_paths;
  json["threads"] = summary.threads;
  json["memory"] = summary.memory;
  json["strict"] = options.input.strict;
  return json;
}

}  // namespace

std::string to_json(const DedupSummary& s, const DedupOptions& options) {
  Json json{{"records", s.records},
            {"documents", s.documents},
            {"reference", s.reference},
            {"kept", s.kept},
            {"removed", s.removed},
            {"quarantined", s.quarantined},
            {"truncated_inputs", s.truncated_inputs},
            {"copies", s.copies},
            {"clusters", s.clusters},
            {"largest_cluster", s.largest_cluster},
            {"components", s.components},
            {"largest_component", s.largest_component},
            {"chained_components", s.chained_components},
            {"candidates", s.candidates},
            {"pairs", s.pairs},
            {"hot_unmatched", s.hot_unmatched},
            {"without_signature", s.without_signature},
            {"without_keep_value", s.without_keep_value},
            {"hash_collisions", s.hash_collisions},
            {"repeated_ids", s.repeated_ids},
            {"bytes", s.bytes},
            {"text_bytes", s.text_bytes},
            {"kept_bytes", s.kept_bytes},
            {"seconds", s.seconds},
            {"peak_memory", s.peak_memory}};
  for (const Corpus::RepeatedId& r : s.repeated_examples)
    json["repeated_id_examples"].push_back(
        {{"id", r.id}, {"first", r.first_place}, {"second", r.second_place}});
  for (const auto& [stage, seconds] : s.stage_seconds) json["stage_seconds"][stage] = seconds;
  const Audit& audit = s.audit;
  if (audit.sampled_documents > 0) {
    json["recall"] = {{"sampled_documents", audit.sampled_documents},
                      {"pairs", audit.pairs},
                      {"direct", audit.direct},
                      {"linked", audit.linked},
                      {"both_stay", audit.both_stay},
                      {"all_documents", audit.all_documents}};
    if (audit.pairs > 0) {
      const Interval interval = audit.direct_interval();
      json["recall"]["direct_recall"] = audit.direct_recall();
      json["recall"]["direct_interval"] = {interval.low, interval.high};
      json["recall"]["confidence"] = kConfidence;
      json["recall"]["linked_recall"] = static_cast<double>(audit.linked) / static_cast<double>(audit.pairs);
    }
  }
  for (const auto& [name, value] : s.method_figures) json["method_figures"][name] = value;
  json["settings"] = settings(options, s);
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace leitong
