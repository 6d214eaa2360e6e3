#include "report/report_json.hpp"

#include <algorithm>
#include <map>

#include "report/excerpt.hpp"
#include "report/json_text.hpp"

namespace leitong {
namespace {

constexpr std::size_t kAll = SIZE_MAX;

std::string clipped(std::string_view text, std::size_t most_bytes) {
  const std::string_view prefix = utf8_prefix(text, most_bytes);
  return prefix.size() == text.size() ? std::string(text) : std::string(prefix) + "…";
}

std::string name(std::string_view text) { return clipped(text, ReportLimits::name_bytes); }

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

void write_side(JsonText& json, const ReportDocument& document, std::vector<MarkedRange> marks) {
  json.open('{');
  json.field("id", name(document.id));
  json.field("place", name(document.place));
  const std::uint64_t bytes = std::max<std::uint64_t>(document.bytes, document.text.size());
  json.field("bytes", bytes);
  std::vector<ExcerptPart> parts = excerpt(document.text, std::move(marks), ReportLimits::pair_bytes);
  if (bytes > document.text.size()) parts.push_back({{}, 0, bytes - document.text.size()});
  json.key("parts");
  json.list(parts, kAll, [&](const ExcerptPart& part) {
    part.skipped > 0 ? json.tuple(part.passage, part.skipped) : json.tuple(part.passage, part.text);
  });
  json.close('}');
}

void write_pair(JsonText& json, const ReportPair& pair) {
  std::vector<MarkedRange> a, b;
  for (std::uint32_t number = 1; const Passage& passage : pair.passages) {
    a.push_back({passage.a.begin, passage.a.end, number});
    b.push_back({passage.b.begin, passage.b.end, number});
    ++number;
  }
  json.open('{');
  json.field("measure", code(pair.scores.measure));
  json.field("score", double{pair.scores.score});
  json.field("jaccard", double{pair.scores.jaccard});
  json.field("containment", double{pair.scores.containment});
  json.field("outcome", name(pair.outcome));
  json.key("a");
  write_side(json, pair.a, std::move(a));
  json.key("b");
  write_side(json, pair.b, std::move(b));
  json.close('}');
}

void write_cluster(JsonText& json, const ReportCluster& cluster) {
  json.open('{');
  json.field("id", name(cluster.kept.id));
  json.field("place", name(cluster.kept.place));
  json.field("opening", opening(cluster.kept));
  json.field("size", cluster.size);
  json.key("members");
  json.list(cluster.members, ReportLimits::members, [&](const ReportCluster::Member& member) {
    json.tuple(name(member.document.id), name(member.document.place), code(member.measure),
               double{member.score}, opening(member.document));
  });
  json.close('}');
}

void write_warning(JsonText& json, const ReportWarning& warning) {
  json.open('{');
  json.field("title", name(warning.title));
  json.field("explanation", clipped(warning.explanation, 4 * ReportLimits::name_bytes));
  json.key("examples");
  json.list(warning.examples, ReportLimits::examples,
            [&](const std::string& example) { json.value(name(example)); });
  json.close('}');
}

void write_histogram(JsonText& json, const ReportHistogram& histogram) {
  json.open('{');
  json.field("name", histogram.name);
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

void write_removals(JsonText& json, const std::vector<ReportRemoval>& all) {
  std::vector<float> scores(all.size());
  std::transform(all.begin(), all.end(), scores.begin(),
                 [](const ReportRemoval& removal) { return removal.score; });
  json.list(choose_removals(scores), kAll, [&](std::size_t i) {
    json.tuple(name(all[i].id), name(all[i].place), name(all[i].kept), code(all[i].measure),
               double{all[i].score});
  });
}

void write_named(JsonText& json, std::string_view key, const auto& values) {
  json.key(key);
  json.list(values, kAll, [&](const auto& value) {
    if constexpr (std::is_convertible_v<decltype(value.second), std::string_view>)
      json.tuple(name(value.first), name(value.second));
    else
      json.tuple(name(value.first), value.second);
  });
}

void write_totals(JsonText& json, const ReportData& data) {
  json.field("records", data.records);
  json.field("kept", data.kept);
  json.field("removed", data.removed);
  json.field("quarantined", data.quarantined);
  json.field("reference", data.reference);
  json.field("clusters", data.clusters);
  json.field("pairs", data.pairs);
  json.field("exact_copies", data.exact_copies);
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

std::string report_json(const ReportData& data) {
  JsonText json;
  json.open('{');
  json.field("title", name(data.title));
  write_named(json, "settings", data.settings);
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
  json.key("least_similar_removed");
  json.list(data.least_similar_removed, ReportLimits::pairs,
            [&](const ReportPair& pair) { write_pair(json, pair); });
  json.key("most_similar_kept");
  json.list(data.most_similar_kept, ReportLimits::pairs,
            [&](const ReportPair& pair) { write_pair(json, pair); });
  json.key("removals");
  write_removals(json, data.removals);
  json.field("removed_file", name(data.removed_file));
  json.field("least_similar_rows", ReportLimits::removals / 5);
  json.close('}');
  return json.take();
}

}  // namespace leitong
