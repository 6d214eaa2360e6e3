#include "report/report.hpp"

#include <algorithm>
#include <map>

#include "report/excerpt.hpp"
#include "report/json_text.hpp"
#include "report/shown_json.hpp"
#include "similarity/reason.hpp"

namespace leitong {
namespace {

constexpr std::size_t kAll = SIZE_MAX;

/// The first words on one line.
std::string opening(const ReportDocument& document) {
  std::string line;
  for (const char c : document.text) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (space && (line.empty() || line.back() == ' ')) continue;
    line.push_back(space ? ' ' : c);
    if (line.size() > ReportLimits::opening_bytes) break;
  }
  const bool ended = line.size() <= ReportLimits::opening_bytes && document.bytes <= document.text.size();
  return std::string(utf8_prefix(line, ReportLimits::opening_bytes)) + (ended ? "" : "…");
}

int code(Measure measure) { return static_cast<int>(measure); }

/// [outcome, measure, score, jaccard, containment, margin's measure, margin's value, bar, borderline?, a, b,
/// template share, families, rare share, own Jaccard], the units of a passage that made the pair, and the
/// loss as [share, text of the kept share, text of the lost share, text of the reworded share or "", units of
/// the longest stretch, renamed?, relation], and why a containment does not count (Uncounted). Unknown values
/// are -1, or 0 in the last five; what is not known at the end is left out, and null before something that
/// is.
void write_row(JsonText& json, const ReportRow& row) {
  json.open('[');
  json.value(static_cast<int>(row.outcome));
  json.value(code(row.scores.measure));
  for (const float value : {row.scores.score, row.scores.jaccard, row.scores.containment})
    json.value(std::max(-1.0, double{value}));
  json.value(row.margin ? code(row.margin->measure) : -1);
  json.value(row.margin ? row.margin->value : -1.0);
  json.value(row.margin ? row.margin->bar : -1.0);
  json.value(row.borderline ? 1 : 0);
  write_side(json, row.a);
  write_side(json, row.b);
  const WithoutTemplate& own = row.scores.own;
  json.value(double{own.template_share});
  json.value(own.families);
  json.value(double{own.rare_share});
  json.value(double{own.jaccard});
  const bool uncounted = row.containment != Uncounted::none;
  if (row.scores.passage_units > 0 || row.loss || uncounted) json.value(row.scores.passage_units);
  if (const auto& loss = row.loss)
    json.tuple(loss->share(), exact_percent(1 - loss->share()), exact_percent(loss->share()),
               loss->reworded > 0 ? exact_percent(loss->reworded_share()) : "", loss->longest,
               loss->renamed ? 1 : 0, static_cast<int>(row.relation));
  else if (uncounted)
    json.raw("null");
  if (uncounted) json.value(static_cast<int>(row.containment));
  json.close(']');
}

void write_rows(JsonText& json, const std::vector<ReportRow>& rows, const ReportSources& sources) {
  json.open('{');
  json.key("sources");
  json.list(sources.names, kAll, [&](const std::string& source) { json.value(shown_name(source)); });
  json.key("rows");
  json.list(rows, kAll, [&](const ReportRow& row) { write_row(json, row); });
  if (!rows.empty() && rows.front().whole.end > 0) {
    json.key("whole");
    json.list(rows, kAll, [&](const ReportRow& row) { json.tuple(row.whole.begin, row.whole.end); });
  }
  json.close('}');
}

void write_flows(JsonText& json, const ReportSources& sources) {
  json.open('{');
  json.field("by", static_cast<int>(sources.by));
  json.field("field", shown_name(sources.field));
  json.field("all", sources.all_flows);
  json.key("flows");
  json.list(sources.flows, ReportLimits::flows, [&](const ReportSources::Flow& flow) {
    json.tuple(shown_name(sources.names[flow.from]), shown_name(sources.names[flow.to]), flow.documents,
               flow.of);
  });
  json.close('}');
}

void write_rule(JsonText& json, const ReportData& data) {
  const Rule& rule = data.rule;
  json.open('{');
  json.field("verified", data.verified ? 1 : 0);
  json.field("measure", rule.measure ? code(*rule.measure) : -1);
  json.field("threshold", rule.threshold);
  json.field("jaccard_short", rule.jaccard_short);
  json.field("jaccard_long", rule.jaccard_long);
  json.field("containment", rule.containment);
  json.field("containment_min", rule.containment_min);
  // Where containment counts, in units of a text that repeats nothing.
  json.key("containment_units");
  json.tuple(rule.containment_min + rule.shingle_units - 1, rule.containment_max + rule.shingle_units - 1);
  json.field("cosine", data.cosine);
  json.close('}');
}

void write_trial(JsonText& json, const ReportTrial& trial) {
  json.open('{');
  json.field("name", shown_name(trial.name));
  write_named(json, "figures", trial.figures);
  write_named(json, "counts", trial.counts);
  json.key("errors");
  json.raw(trial.errors.empty() ? R"({"sources":[],"rows":[]})" : trial.errors);
  json.close('}');
}

void write_cluster(JsonText& json, const ReportCluster& cluster) {
  json.open('{');
  json.field("id", shown_name(cluster.kept.id));
  json.field("place", shown_name(cluster.kept.place));
  json.field("opening", opening(cluster.kept));
  json.field("title", shown_name(cluster.kept.title));
  json.field("size", cluster.size);
  json.key("members");
  json.list(cluster.members, ReportLimits::members, [&](const ReportCluster::Member& member) {
    json.tuple(shown_name(member.document.id), shown_name(member.document.place), code(member.measure),
               double{member.score}, opening(member.document), shown_name(member.document.title));
  });
  json.close('}');
}

void write_warning(JsonText& json, const ReportWarning& warning) {
  json.open('{');
  json.field("code", warning.code);
  json.key("details");
  json.open('{');
  for (const auto& [key, value] : warning.details) json.field(shown_name(key), shown_name(value));
  json.close('}');
  json.key("examples");
  json.list(warning.examples, ReportLimits::examples,
            [&](const std::string& example) { json.value(shown_name(example)); });
  json.close('}');
}

void write_histogram(JsonText& json, const ReportHistogram& histogram) {
  json.open('{');
  json.field("measure", code(histogram.measure));
  json.key("bins");
  json.list(histogram.bins, kAll, [&](std::uint64_t count) { json.value(count); });
  json.key("thresholds");
  json.list(histogram.thresholds, kAll, [&](double threshold) { json.value(threshold); });
  json.close('}');
}

/// Sizes 2, 3, 4, then doubling ranges: [from, to, clusters].
void write_cluster_sizes(JsonText& json, const std::vector<std::pair<std::uint64_t, std::uint64_t>>& sizes) {
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const auto& [size, clusters] : sizes) {
    std::uint64_t from = size, to = size;
    if (size > 4)
      for (from = 5, to = 8; to < size; to *= 2) from = to + 1;
    auto& range = ranges[from];
    range = {to, range.second + clusters};
  }
  json.list(ranges, kAll,
            [&](const auto& range) { json.tuple(range.first, range.second.first, range.second.second); });
}

void write_totals(JsonText& json, const ReportData& data) {
  json.field("records", data.records);
  json.field("kept", data.kept);
  json.field("removed", data.removed);
  json.field("quarantined", data.quarantined);
  json.field("reference", data.reference);
  json.field("documents", data.documents);
  json.field("clusters", data.clusters);
  json.field("pairs", data.pairs);
  json.field("copies", data.copies);
  json.field("by_losses", data.by_losses ? 1 : 0);
  json.field("relatives", data.relatives);
  json.field("removed_units", data.removed_units);
  json.field("lost_units", data.lost_units);
  json.field("bytes", data.bytes);
  json.field("kept_bytes", data.kept_bytes);
  json.field("peak_memory", data.peak_memory);
  json.field("seconds", data.seconds);
  if (data.recall) {
    json.key("recall");
    json.open('{');
    json.field("sampled_documents", data.recall->sampled_documents);
    json.field("pairs", data.recall->pairs);
    json.field("direct", data.recall->direct);
    json.field("both_stay", data.recall->both_stay);
    json.close('}');
  }
}

}  // namespace

std::string report_rows_json(const std::vector<ReportRow>& rows, const ReportSources& sources) {
  JsonText json;
  write_rows(json, rows, sources);
  return json.take();
}

std::string report_texts_json(const ReportRow& row) {
  JsonText json;
  json.open('[');
  write_side(json, row.a);
  write_side(json, row.b);
  json.close(']');
  return json.take();
}

std::string report_json(const ReportData& data) {
  JsonText json;
  json.open('{');
  write_head(json, data.kind, data);
  json.key("rule");
  write_rule(json, data);
  write_totals(json, data);
  write_named(json, "stages", data.stage_seconds);
  json.key("warnings");
  json.list(data.warnings, kAll, [&](const ReportWarning& warning) { write_warning(json, warning); });
  write_named(json, "quarantine_reasons", data.quarantine_reasons);
  json.key("histograms");
  json.list(data.histograms, kAll,
            [&](const ReportHistogram& histogram) { write_histogram(json, histogram); });
  json.key("cluster_sizes");
  write_cluster_sizes(json, data.cluster_sizes);
  json.key("largest_clusters");
  json.list(data.largest_clusters, ReportLimits::clusters,
            [&](const ReportCluster& cluster) { write_cluster(json, cluster); });
  json.key("sources");
  write_flows(json, data.sources);
  json.key("found");
  write_rows(json, data.rows, data.sources);
  json.field("all_rows", data.all_rows);
  json.field("least_rows", data.least_rows);
  json.field("text_bytes", ReportLimits::text_of(data.rows.size()));
  json.field("rows_file", shown_name(data.rows_file));
  json.field("texts_file", shown_name(data.texts_file));
  json.key("trials");
  json.list(data.trials, kAll, [&](const ReportTrial& trial) { write_trial(json, trial); });
  json.close('}');
  return json.take();
}

}  // namespace leitong
