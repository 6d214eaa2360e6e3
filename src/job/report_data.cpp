#include "job/report_data.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "base/halves.hpp"
#include "base/try.hpp"
#include "cluster/settle.hpp"
#include "job/report_clusters.hpp"
#include "job/report_rows.hpp"
#include "job/report_sources.hpp"
#include "job/report_words.hpp"
#include "report/choose_rows.hpp"

namespace leitong {
namespace {

// --- scores -----------------------------------------------------------------------------------------------

Result<std::vector<ReportHistogram>> histograms(const Rule& rule, const PairStore& pairs) {
  ReportHistogram jaccard{Measure::jaccard, {}, {}}, containment{Measure::containment, {}, {}},
      other{rule.measure == Measure::edit ? Measure::edit : Measure::estimate, {}, {}};
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
  return std::vector{std::move(jaccard), std::move(containment), std::move(other)};
}

// --- rows -------------------------------------------------------------------------------------------------

/// The estimate by which rows are chosen. Units are used for shingles, which are about as many; pairs that no
/// rule decided come last.
double margin_estimate(const Rule& rule, const VerifiedPair& pair, const DocumentTable& table) {
  const std::size_t na = std::max<std::uint32_t>(table.units[pair.a], 1);
  const std::size_t nb = std::max<std::uint32_t>(table.units[pair.b], 1);
  const auto margin = margin_of(rule, pair, na, nb);
  if (margin) return margin->over();
  return pair.measure == Measure::estimate ? double{pair.score} : 1;
}

struct Chosen {
  std::vector<RowRequest> requests;
  std::vector<double> margins;
  std::uint64_t all = 0;

  void add(const RowRequest& request, double margin) {
    requests.push_back(request);
    margins.push_back(margin);
  }
};

/// Removed documents, each with the kept one and the pair that removed it. Two passes over the pairs.
Result<Chosen> choose_removals(const Rule& rule, const Outcome& outcome, std::size_t most,
                               DocumentSources& sources) {
  const PairResult& found = outcome.found;
  const Settlement& settlement = found.settlement;
  PodVector<float> margin;  // for each removed document
  margin.resize(outcome.documents(), 1);
  const auto loss_of = [&](DocId d) { return outcome.loss.empty() ? 0.0 : double{outcome.loss[d]}; };
  LEITONG_TRY(outcome.for_each_removal([&](DocId d, const VerifiedPair& pair, const std::optional<Loss>&) {
    margin[d] = static_cast<float>(margin_estimate(rule, pair, found.table));
  }));
  std::unordered_map<DocId, DocId> original_of;
  for (const Copy& copy : found.copies) margin[copy.copy] = margin[copy.original];

  RowChooser chooser(most);
  for (DocId d = 0; d < outcome.documents(); ++d) {
    if (settlement.stays(d)) continue;
    chooser.add(double{margin[d]}, d, loss_of(d));
    sources.add_flow(d, settlement.kept[d]);
  }
  Chosen chosen;
  chosen.all = chooser.added();
  struct Removal {
    VerifiedPair pair;
    std::optional<Loss> loss;
  };
  const auto as_copy = [&](DocId d) {
    return Removal{copies_of_one(0, 0, outcome.measure[d] == Measure::identical),
                   settlement.by_losses() ? std::optional(Loss()) : std::nullopt};
  };
  std::unordered_map<DocId, Removal> removal_of;
  for (const std::uint64_t d : chooser.take()) {
    chosen.add({static_cast<DocId>(d), settlement.kept[d], RowOutcome::removed, {}, false},
               double{margin[d]});
    removal_of.emplace(static_cast<DocId>(d), as_copy(static_cast<DocId>(d)));
  }
  for (const Copy& copy : found.copies)
    if (removal_of.contains(copy.copy)) {
      original_of.emplace(copy.copy, copy.original);
      removal_of.emplace(copy.original, as_copy(copy.original));
    }
  LEITONG_TRY(
      outcome.for_each_removal([&](DocId d, const VerifiedPair& pair, const std::optional<Loss>& loss) {
        if (const auto at = removal_of.find(d); at != removal_of.end()) at->second = {pair, loss};
      }));
  for (RowRequest& request : chosen.requests) {
    const auto original = original_of.find(request.a);
    const Removal removal = settlement.pair[request.a] == Settlement::kNoPair
                                ? as_copy(request.a)
                                : removal_of.at(original == original_of.end() ? request.a : original->second);
    request.scores = removal.pair;
    request.loss = removal.loss;
    if (removal.loss) request.relation = outcome.relation[request.a];
  }
  return chosen;
}

/// Similar pairs, and copies each with the first document of their group.
Result<Chosen> choose_pairs(const Rule& rule, const Outcome& outcome, DocumentSources& sources) {
  const PairResult& found = outcome.found;
  RowChooser chooser(ReportLimits::rows);
  std::uint64_t number = 0;
  LEITONG_TRY(found.pairs->for_each([&](const VerifiedPair& pair) {
    chooser.add(margin_estimate(rule, pair, found.table), number++);
    sources.add_pair(pair.a, pair.b);
  }));
  for (const Copy& copy : found.copies) {
    chooser.add(1, number++);
    sources.add_pair(copy.original, copy.copy);
  }
  Chosen chosen;
  chosen.all = chooser.added();
  const std::vector<std::uint64_t> numbers = chooser.take();
  auto next = numbers.begin();
  number = 0;
  const auto add = [&](const VerifiedPair& pair, double margin) {
    if (next == numbers.end() || *next != number++) return;
    ++next;
    chosen.add({pair.a, pair.b, RowOutcome::similar, pair, false}, margin);
  };
  LEITONG_TRY(found.pairs->for_each(
      [&](const VerifiedPair& pair) { add(pair, margin_estimate(rule, pair, found.table)); }));
  for (const Copy& copy : found.copies) add(copies_of_one(copy.original, copy.copy, copy.form.text == 0), 1);
  return chosen;
}

/// The refused pairs that came nearest to the threshold, each document once.
std::vector<RowRequest> near_misses(const Outcome& outcome, bool decides) {
  std::vector<RowRequest> requests;
  std::unordered_set<DocId> seen;
  for (const RefusedPair& miss : outcome.found.near_misses) {
    const auto [a, b] = std::pair(miss.pair.a, miss.pair.b);
    if (requests.size() == ReportLimits::pairs) break;
    const Settlement& settlement = outcome.found.settlement;
    if (decides && (!settlement.stays(a) || !settlement.stays(b))) continue;
    if (seen.contains(a) || seen.contains(b)) continue;
    seen.insert({a, b});
    requests.push_back({a, b, RowOutcome::stay, miss.pair, true});
  }
  return requests;
}

/// Documents that stay because of what would be lost, though they are similar to another one that stays, each
/// with the document that lacks least of it. All of them, or within ReportLimits those with the least loss
/// and an even sample of the others. Two passes over the pairs.
Result<std::vector<RowRequest>> choose_relatives(const Outcome& outcome) {
  std::vector<RowRequest> requests;
  if (outcome.relatives == 0) return requests;
  LEITONG_ASSIGN(const Relatives relatives, Relatives::read(outcome));
  RowChooser chooser(ReportLimits::relatives);
  for (DocId d = 0; d < outcome.documents(); ++d) {
    if (!outcome.is_relative(d)) continue;
    const Relatives::Nearest* const nearest = relatives.of(d);
    chooser.add(nearest != nullptr ? nearest->loss.share() : 1, d);
  }
  const Settlement& settlement = outcome.found.settlement;
  const PodVector<std::uint32_t>& units = outcome.found.table.units;
  const std::vector<DocId> original = originals(outcome.documents(), outcome.found.copies);
  const auto key = [](DocId x, DocId y) { return join_halves(std::min(x, y), std::max(x, y)); };
  std::unordered_multimap<std::uint64_t, std::size_t> by_pair;
  for (const std::uint64_t number : chooser.take()) {
    const auto d = static_cast<DocId>(number);
    RowRequest request{.a = d, .b = settlement.kept[settlement.leader(d)], .outcome = RowOutcome::relative};
    request.scores.jaccard = request.scores.containment = request.scores.score =
        -1;  // if no pair gives another value
    if (const Relatives::Nearest* const nearest = relatives.of(d)) {
      request.b = nearest->document;
      request.loss = nearest->loss;
      request.relation = relation_of(nearest->loss, units[d], units[nearest->document]);
    }
    by_pair.emplace(key(original[d], original[request.b]), requests.size());
    requests.push_back(request);
  }
  LEITONG_TRY(outcome.found.pairs->for_each([&](const VerifiedPair& pair) {
    const auto [begin, end] = by_pair.equal_range(key(pair.a, pair.b));
    for (auto at = begin; at != end; ++at) requests[at->second].scores = pair;
  }));
  return requests;
}

Result<void> add_rows(const DedupJob& job, const Rule& rule, const Corpus& corpus, const Outcome& outcome,
                      const WriteTexts& texts, ReportData& data) {
  const StopToken stop = outcome.found.pairs->run().stop;
  LEITONG_ASSIGN(DocumentSources sources, DocumentSources::read(corpus, job.source_field, stop));
  std::vector<RowRequest> relatives;
  if (job.decides) {
    LEITONG_ASSIGN(relatives, choose_relatives(outcome));
  }
  const std::size_t most = ReportLimits::rows - relatives.size();
  data.least_rows = RowChooser::least(most);
  LEITONG_ASSIGN(Chosen chosen, job.decides ? choose_removals(rule, outcome, most, sources)
                                            : choose_pairs(rule, outcome, sources));
  data.all_rows = chosen.all;
  mark_borderline(chosen.requests, chosen.margins);
  const std::vector<RowRequest> refused = near_misses(outcome, job.decides);
  chosen.requests.insert(chosen.requests.end(), refused.begin(), refused.end());
  chosen.requests.insert(chosen.requests.end(), relatives.begin(), relatives.end());
  LEITONG_ASSIGN(data.rows, read_rows(corpus, rule, chosen.requests.size(), chosen.requests, sources,
                                      outcome.found.marks.get(), stop, job.title_field, texts));
  data.sources = sources.take(data.rows);
  return {};
}

}  // namespace

Result<ReportData> report_data(const DedupJob& job, const FindOptions& find, const DedupSummary& summary,
                               const Corpus& corpus, const Outcome& outcome, const WriteTexts& texts) {
  ReportData data;
  data.kind = job.decides ? ReportKind::dedup : ReportKind::pairs;
  data.title = report_title(job.input.paths);
  data.command = job.command;
  data.date = job.date;
  data.settings = report_settings(job, find.method, summary);
  data.rule = find.rule;
  data.cosine = find.cosine;
  data.verified = find.verify;
  data.records = summary.records;
  data.documents = summary.documents;
  data.quarantined = summary.quarantined;
  data.reference = summary.reference;
  data.pairs = summary.pairs;
  data.copies = summary.copies;
  data.bytes = summary.bytes;
  data.peak_memory = summary.peak_memory;
  data.seconds = summary.seconds;
  data.stage_seconds = summary.stage_seconds;
  if (const RecallEstimate& recall = summary.recall; recall.sampled > 0)
    data.recall = ReportRecall{recall.sampled, recall.pairs, recall.found, recall.both_stay};
  data.rows_file = job.decides ? job.outputs.removed : job.outputs.pairs;
  if (data.rows_file == "-") data.rows_file.clear();
  data.warnings = report_warnings(job, find.method, summary);
  LEITONG_ASSIGN(data.quarantine_reasons, quarantine_reasons(corpus));
  LEITONG_ASSIGN(data.histograms, histograms(find.rule, *outcome.found.pairs));
  if (job.decides) {
    data.kept = summary.kept;
    data.removed = summary.removed;
    data.clusters = summary.clusters;
    data.kept_bytes = summary.kept_bytes;
    data.by_losses = outcome.found.settlement.by_losses();
    data.relatives = summary.relatives;
    data.removed_units = summary.removed_units;
    data.lost_units = summary.lost_units;
    LEITONG_TRY(add_clusters(corpus, outcome, job.title_field, data));
  }
  data.texts_file = job.outputs.report_texts;
  LEITONG_TRY(add_rows(job, find.rule, corpus, outcome, texts, data));
  return data;
}

}  // namespace leitong
