#include "job/recluster_report.hpp"

#include <fmt/format.h>

#include <tuple>
#include <unordered_map>

#include "base/try.hpp"
#include "job/report_clusters.hpp"
#include "job/report_words.hpp"
#include "report/choose_rows.hpp"

namespace leitong {
namespace {

/// The margin of the value to which the threshold applies.
Margin margin_to(const ReclusterOptions& options, const VerifiedPair& pair) {
  return {options.measure.measure.value_or(pair.measure), double{options.measure.of(pair)},
          options.threshold};
}

ReportRow row_of(const ReclusterOptions& options, const Reclustered& result, DocId removed) {
  ReportRow row;
  row.a.id = result.stored.ids[removed];
  row.b.id = result.stored.ids[result.settlement.kept[removed]];
  const VerifiedPair* const pair = result.removal_pair(removed);
  row.scores = result.why_removed(removed);
  if (pair != nullptr) row.margin = margin_to(options, *pair);
  if (result.settlement.by_losses()) row.loss = result.removal_loss(removed).value_or(Loss());
  return row;
}

// Adds similar documents that stay because of what would be lost, each with the document that lacks least of
// it.
void add_relatives(const ReclusterOptions& options, const Reclustered& result, ReportData& data) {
  struct Nearest {
    std::size_t pair = 0;
    DocId beside = 0;
    Loss loss;
  };
  const Settlement& settlement = result.settlement;
  std::unordered_map<DocId, Nearest> nearest;
  for (std::size_t i = 0; i < result.losses.size(); ++i) {
    const VerifiedPair& pair = result.pairs[i];
    for (const auto& [of, other, loss] :
         {std::tuple(pair.a, pair.b, result.losses[i].a), std::tuple(pair.b, pair.a, result.losses[i].b)}) {
      const DocId document = settlement.kept[of], beside = settlement.kept[other];
      if (!loss || result.original[document] != of || result.original[beside] != other ||
          settlement.leader(document) == document)
        continue;
      const auto [at, is_new] = nearest.try_emplace(document, Nearest{i, beside, *loss});
      if (!is_new && std::pair(loss->share(), beside) < std::pair(at->second.loss.share(), at->second.beside))
        at->second = {i, beside, *loss};
    }
  }
  RowChooser chooser(ReportLimits::relatives);
  for (const auto& [document, found] : nearest) chooser.add(found.loss.share(), document);
  for (const std::uint64_t number : chooser.take()) {
    const auto& [pair, beside, loss] = nearest.at(static_cast<DocId>(number));
    ReportRow row;
    row.outcome = RowOutcome::relative;
    row.a.id = result.stored.ids[number];
    row.b.id = result.stored.ids[beside];
    row.scores = result.pairs[pair];
    row.margin = margin_to(options, row.scores);
    row.loss = loss;
    data.rows.push_back(std::move(row));
  }
}

void add_histograms(const ReclusterOptions& options, const Reclustered& result, ReportData& data) {
  ReportHistogram jaccard{Measure::jaccard, {}, {}}, containment{Measure::containment, {}, {}};
  for (const VerifiedPair& pair : result.pairs) {
    jaccard.add(double{pair.jaccard});
    containment.add(double{pair.containment});
  }
  if (options.measure.measure == Measure::jaccard) jaccard.thresholds = {options.threshold};
  if (options.measure.measure == Measure::containment) containment.thresholds = {options.threshold};
  data.histograms = {jaccard, containment};
}

}  // namespace

Result<ReportData> recluster_report(const ReclusterOptions& options, const Reclustered& result) {
  ReportData data;
  data.kind = ReportKind::cluster;
  data.title = report_title({options.pairs});
  data.settings = {{"pairs", options.pairs},
                   {"threshold", fmt::format("{}", options.threshold)},
                   {"keep", to_string(KeepPolicy(options.keep))}};
  if (const auto measure = options.measure.measure)
    data.settings.emplace_back(
        "measure", std::string(options.measure.own_text ? "own_" : "") + std::string(measure_name(*measure)));
  data.rule.measure = options.measure.measure;
  data.rule.threshold = options.threshold;
  data.documents = result.stored.ids.size();
  data.removed = result.removed;
  data.kept = data.documents - data.removed;
  data.clusters = result.clusters;
  data.pairs = result.pairs.size();
  data.copies = result.stored.copies.size();
  data.by_losses = result.settlement.by_losses();
  data.relatives = result.relatives;
  data.warnings.push_back({"no_texts", {}, {}});
  add_histograms(options, result, data);

  RowChooser chooser(ReportLimits::rows);
  for (DocId d = 0; d < data.documents; ++d) {
    if (result.settlement.stays(d)) continue;
    const VerifiedPair* const pair = result.removal_pair(d);
    const std::optional<Loss> loss = result.removal_loss(d);
    chooser.add(pair != nullptr ? margin_to(options, *pair).over() : 1, d, loss ? loss->share() : 0);
  }
  data.all_rows = chooser.added();
  for (const std::uint64_t d : chooser.take())
    data.rows.push_back(row_of(options, result, static_cast<DocId>(d)));
  add_relatives(options, result, data);
  LEITONG_TRY(add_clusters({result.cluster, result.clusters, result.settlement,
                            [&](DocId d) {
                              const VerifiedPair why = result.why_removed(d);
                              return std::pair(why.measure, why.score);
                            },
                            [&](DocId d) -> Result<ReportDocument> {
                              return ReportDocument{result.stored.ids[d], "", "", 0};
                            }},
                           data));
  return data;
}

}  // namespace leitong
