#include "job/report_data.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "io/output_file.hpp"
#include "job/report_words.hpp"
#include "report/excerpt.hpp"

namespace leitong {
namespace {

// Passages of longer texts are sought within this many bytes from their beginning.
constexpr std::size_t kComparedBytes = 1 << 20;
// Enough for the first words, whatever white space stands between them.
constexpr std::size_t kOpeningRead = 4 * ReportLimits::opening_bytes;

// Documents as the page names them, read again one by one.
class Reader {
 public:
  explicit Reader(const Corpus& corpus) : corpus_(corpus), scratch_(corpus.new_scratch()) {}

  Result<std::string> id(DocId document) { return corpus_.id(document, *scratch_); }
  [[nodiscard]] std::string place(DocId document) const { return corpus_.place_name(document); }

  Result<ReportDocument> document(DocId document, std::size_t most_bytes) {
    ReportDocument shown;
    LEITONG_ASSIGN(shown.id, id(document));
    shown.place = place(document);
    LEITONG_ASSIGN(const DocumentText read, corpus_.read(document, *scratch_));
    shown.text = utf8_prefix(read.text, most_bytes);
    shown.bytes = read.text.size();
    return shown;
  }

 private:
  const Corpus& corpus_;
  std::unique_ptr<ReadScratch> scratch_;
};

/// Counts of the commonest reasons, and of all others.
Result<std::vector<std::pair<std::string, std::uint64_t>>> quarantine_reasons(const Corpus& corpus) {
  std::map<std::string, std::uint64_t> counts;
  std::string rest;  // of a block that ended within a line
  LEITONG_TRY(corpus.write_quarantine([&](std::string_view block) -> Result<void> {
    rest += block;
    std::size_t begin = 0;
    for (std::size_t end; (end = rest.find('\n', begin)) != std::string::npos; begin = end + 1) {
      const auto line =
          nlohmann::json::parse(std::string_view(rest).substr(begin, end - begin), nullptr, false);
      if (line.is_object()) ++counts[line.value("reason", "")];
    }
    rest.erase(0, begin);
    return {};
  }));
  std::vector<std::pair<std::string, std::uint64_t>> reasons(counts.begin(), counts.end());
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& x, const auto& y) { return x.second > y.second; });
  if (reasons.size() > ReportLimits::examples) {
    std::uint64_t others = 0;
    for (std::size_t i = ReportLimits::examples; i < reasons.size(); ++i) others += reasons[i].second;
    reasons.resize(ReportLimits::examples);
    reasons.emplace_back("other reasons", others);
  }
  return reasons;
}

// --- scores -----------------------------------------------------------------------------------------------

Result<std::vector<ReportHistogram>> histograms(const Rule& rule, const PairStore& pairs) {
  ReportHistogram jaccard{"Jaccard", {}, {}}, containment{"Containment", {}, {}}, other{"", {}, {}};
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair) {
    if (pair.measure == Measure::estimate || pair.measure == Measure::edit) other.add(pair.score);
    if (pair.measure == Measure::estimate) return;
    jaccard.add(pair.jaccard);
    containment.add(pair.containment);
  }));
  if (!rule.measure) {
    jaccard.thresholds = {rule.jaccard_short, rule.jaccard_long};
    containment.thresholds = {rule.containment};
  } else if (*rule.measure == Measure::jaccard) {
    jaccard.thresholds = {rule.threshold};
  } else if (*rule.measure == Measure::containment) {
    containment.thresholds = {rule.threshold};
  } else {
    other.thresholds = {rule.threshold};
  }
  other.name = rule.measure == Measure::edit ? "Edit similarity" : "Estimate";
  return std::vector{std::move(jaccard), std::move(containment), std::move(other)};
}

// --- clusters ---------------------------------------------------------------------------------------------

struct Star {
  DocId kept = 0;
  std::uint64_t size = 0;
  std::vector<DocId> members;
};

/// Fills the distribution of sizes and returns the largest clusters with all their members.
std::vector<Star> largest_stars(const Settlement& settlement,
                                std::vector<std::pair<std::uint64_t, std::uint64_t>>& sizes) {
  const std::uint64_t documents = settlement.kept.size();
  PodVector<std::uint32_t> left_for;
  left_for.resize(documents, 0);
  for (DocId d = 0; d < documents; ++d)
    if (!settlement.stays(d)) ++left_for[settlement.kept[d]];
  std::map<std::uint64_t, std::uint64_t> counts;
  std::vector<Star> stars;
  const auto larger = [](const Star& x, const Star& y) {
    return x.size != y.size ? x.size > y.size : x.kept < y.kept;
  };
  for (DocId d = 0; d < documents; ++d) {
    if (left_for[d] == 0) continue;
    const std::uint64_t size = left_for[d] + 1ULL;
    ++counts[size];
    if (stars.size() == ReportLimits::clusters && size <= stars.back().size) continue;
    const Star star{d, size, {}};
    stars.insert(std::upper_bound(stars.begin(), stars.end(), star, larger), star);
    if (stars.size() > ReportLimits::clusters) stars.pop_back();
  }
  sizes.assign(counts.begin(), counts.end());
  std::unordered_map<DocId, Star*> by_kept;
  for (Star& star : stars) by_kept[star.kept] = &star;
  for (DocId d = 0; d < documents; ++d) {
    if (settlement.stays(d)) continue;
    if (const auto found = by_kept.find(settlement.kept[d]); found != by_kept.end())
      found->second->members.push_back(d);
  }
  return stars;
}

Result<ReportCluster> shown_cluster(Star star, const Outcome& outcome, Reader& reader) {
  ReportCluster cluster;
  cluster.size = star.size;
  LEITONG_ASSIGN(cluster.kept, reader.document(star.kept, kOpeningRead));
  const auto less_similar = [&](DocId x, DocId y) {
    return std::pair(outcome.reason(x).second, x) < std::pair(outcome.reason(y).second, y);
  };
  const std::size_t shown = std::min(star.members.size(), ReportLimits::members);
  std::partial_sort(star.members.begin(), star.members.begin() + static_cast<std::ptrdiff_t>(shown),
                    star.members.end(), less_similar);
  for (std::size_t i = 0; i < shown; ++i) {
    ReportCluster::Member member;
    std::tie(member.measure, member.score) = outcome.reason(star.members[i]);
    LEITONG_ASSIGN(member.document, reader.document(star.members[i], kOpeningRead));
    cluster.members.push_back(std::move(member));
  }
  return cluster;
}

// --- borderline pairs -------------------------------------------------------------------------------------

/// 1 is at the threshold; the measure that speaks most for a pair counts. Units stand for shingles, which are
/// about as many.
double over_threshold(const Rule& rule, const VerifiedPair& pair, const DocumentTable& table) {
  if (pair.measure == Measure::estimate) return pair.score;
  if (rule.measure) return pair.score / std::max(rule.threshold, 1e-9);
  const std::uint32_t n = std::min(table.units[pair.a], table.units[pair.b]);
  const double by_jaccard = pair.jaccard / rule.jaccard_at_least(n);
  return n < rule.containment_min ? by_jaccard : std::max(by_jaccard, pair.containment / rule.containment);
}

Result<ReportPair> side_by_side(DocId a, DocId b, const VerifiedPair& scores, std::string outcome,
                                Reader& reader) {
  ReportPair pair;
  LEITONG_ASSIGN(pair.a, reader.document(a, kComparedBytes));
  LEITONG_ASSIGN(pair.b, reader.document(b, kComparedBytes));
  pair.scores = scores;
  pair.passages = shared_passages(pair.a.text, pair.b.text).passages;
  pair.outcome = std::move(outcome);
  return pair;
}

/// Of the removed documents those nearest to the threshold, one for each kept document, so that no family
/// fills the list.
Result<std::vector<ReportPair>> least_similar_removed(const Rule& rule, const Outcome& outcome,
                                                      Reader& reader) {
  const Settlement& settlement = outcome.found.settlement;
  std::vector<std::pair<double, DocId>> order;
  LEITONG_TRY(outcome.for_each_removal([&](DocId d, const VerifiedPair& pair) {
    order.emplace_back(over_threshold(rule, pair, outcome.found.table), d);
  }));
  constexpr std::size_t kLookedAt = 100 * ReportLimits::pairs;
  const auto looked_at = order.begin() + static_cast<std::ptrdiff_t>(std::min(order.size(), kLookedAt));
  std::partial_sort(order.begin(), looked_at, order.end());
  std::vector<DocId> chosen;
  std::unordered_set<DocId> of_kept;
  for (auto at = order.begin(); at != looked_at && chosen.size() < ReportLimits::pairs; ++at)
    if (of_kept.insert(settlement.kept[at->second]).second) chosen.push_back(at->second);
  std::unordered_map<DocId, VerifiedPair> by;
  LEITONG_TRY(outcome.for_each_removal([&](DocId d, const VerifiedPair& pair) {
    if (std::find(chosen.begin(), chosen.end(), d) != chosen.end()) by[d] = pair;
  }));
  std::vector<ReportPair> shown;
  for (const DocId removed : chosen) {
    LEITONG_ASSIGN(ReportPair pair, side_by_side(removed, settlement.kept[removed], by[removed], "", reader));
    shown.push_back(std::move(pair));
  }
  return shown;
}

/// Pairs that came nearest to the rule without meeting it, each document once.
Result<std::vector<ReportPair>> most_similar_kept(const Outcome& outcome, Reader& reader) {
  const Settlement& settlement = outcome.found.settlement;
  std::vector<ReportPair> shown;
  std::unordered_set<DocId> seen;
  for (const NearMiss& miss : outcome.found.near_misses) {
    const auto [a, b] = std::pair(miss.pair.a, miss.pair.b);
    if (shown.size() == ReportLimits::pairs) break;
    if (!settlement.stays(a) || !settlement.stays(b)) continue;
    if (seen.contains(a) || seen.contains(b)) continue;
    seen.insert({a, b});
    LEITONG_ASSIGN(ReportPair pair,
                   side_by_side(a, b, miss.pair,
                                fmt::format("{:.0f} % of the shared shingles that the rule asks for",
                                            100 * miss.closeness),
                                reader));
    shown.push_back(std::move(pair));
  }
  return shown;
}

// --- removed documents ------------------------------------------------------------------------------------

Result<std::vector<ReportRemoval>> removals(const Outcome& outcome, Reader& reader) {
  std::vector<DocId> documents;
  std::vector<float> scores;
  for (DocId d = 0; d < outcome.documents(); ++d) {
    if (outcome.found.settlement.stays(d)) continue;
    documents.push_back(d);
    scores.push_back(outcome.reason(d).second);
  }
  std::vector<ReportRemoval> shown;
  for (const std::size_t i : choose_removals(scores)) {
    const DocId d = documents[i];
    ReportRemoval removal;
    LEITONG_ASSIGN(removal.id, reader.id(d));
    removal.place = reader.place(d);
    LEITONG_ASSIGN(removal.kept, reader.id(outcome.found.settlement.kept[d]));
    std::tie(removal.measure, removal.score) = outcome.reason(d);
    shown.push_back(std::move(removal));
  }
  return shown;
}

}  // namespace

Result<ReportData> report_data(const DedupOptions& options, const DedupSummary& summary, const Corpus& corpus,
                               const Outcome& outcome) {
  ReportData data;
  data.title = report_title(options.input.paths);
  data.settings = report_settings(options);
  data.records = summary.records;
  data.kept = summary.kept;
  data.removed = summary.removed;
  data.quarantined = summary.quarantined;
  data.reference = summary.reference;
  data.clusters = summary.clusters;
  data.pairs = summary.pairs;
  data.exact_copies = summary.exact_copies;
  data.bytes = summary.bytes;
  data.kept_bytes = summary.kept_bytes;
  data.peak_memory = summary.peak_memory;
  data.seconds = summary.seconds;
  data.stage_seconds = summary.stage_seconds;
  if (summary.audit.sampled_documents > 0) {
    const Audit& audit = summary.audit;
    data.recall = ReportRecall{audit.sampled_documents, audit.pairs, audit.direct, audit.both_stay};
  }
  data.removed_file = options.outputs.removed;

  Reader reader(corpus);
  const Rule& rule = options.find.rule;
  data.warnings = report_warnings(options, summary);
  LEITONG_ASSIGN(data.quarantine_reasons, quarantine_reasons(corpus));
  LEITONG_ASSIGN(data.histograms, histograms(rule, *outcome.found.pairs));
  for (Star& star : largest_stars(outcome.found.settlement, data.cluster_sizes)) {
    LEITONG_ASSIGN(ReportCluster cluster, shown_cluster(std::move(star), outcome, reader));
    data.largest_clusters.push_back(std::move(cluster));
  }
  LEITONG_ASSIGN(data.least_similar_removed, least_similar_removed(rule, outcome, reader));
  LEITONG_ASSIGN(data.most_similar_kept, most_similar_kept(outcome, reader));
  LEITONG_ASSIGN(data.removals, removals(outcome, reader));
  return data;
}

}  // namespace leitong
