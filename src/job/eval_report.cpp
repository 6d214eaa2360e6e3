#include "job/eval_report.hpp"

#include <algorithm>
#include <map>

#include "base/try.hpp"
#include "io/run_context.hpp"
#include "job/report_rows.hpp"
#include "job/report_words.hpp"

namespace leitong {

std::size_t error_rows_of(std::size_t results) noexcept {
  return std::max<std::size_t>(1, ReportLimits::rows / (2 * std::max<std::size_t>(1, results)));
}

Result<std::string> error_rows(const Assessed& found, const Corpus& corpus, const AssessOptions& options,
                               const ErrorPairs& errors, std::size_t results, const Context& context) {
  std::map<DocumentPair, const VerifiedPair*> claimed;
  for (const DocumentPair& pair : errors.false_positives)
    claimed[std::minmax(pair.first, pair.second)] = nullptr;
  for (const VerifiedPair& pair : found.pairs)
    if (const auto at = claimed.find({pair.a, pair.b}); at != claimed.end()) at->second = &pair;
  const VerifiedPair unknown{0, 1, -1, -1, -1, Measure::jaccard};
  std::vector<RowRequest> requests;
  const auto add = [&](const DocumentPair& pair, RowOutcome outcome, const VerifiedPair* scores) {
    requests.push_back({pair.first, pair.second, outcome, scores ? *scores : unknown, false});
  };
  for (const auto& [pair, scores] : claimed) add(pair, RowOutcome::false_positive, scores);
  for (const DocumentPair& pair : errors.false_negatives) add(pair, RowOutcome::false_negative, nullptr);
  std::vector<ReportRow> rows;
  ReportSources shown;
  const StopToken stop = RunContext(context).stop;
  LEITONG_TRY(on_threads(context, [&]() -> Result<void> {
    LEITONG_ASSIGN(const DocumentSources sources, DocumentSources::read(corpus, {}, stop));
    LEITONG_ASSIGN(rows, read_rows(corpus, options.find.rule, requests.size() * results, requests, sources,
                                   nullptr, stop));
    shown = sources.take(rows);
    return {};
  }));
  if (!options.find.verify)
    for (ReportRow& row : rows) row.margin.reset();  // no rule decided these rows
  return report_rows_json(rows, shown);
}

std::string error_rows(const ErrorPairs& errors, const std::vector<std::string>& ids) {
  std::vector<ReportRow> rows;
  const auto add = [&](const DocumentPair& pair, RowOutcome outcome) {
    ReportRow row;
    row.a.id = ids[pair.first];
    row.b.id = ids[pair.second];
    row.outcome = outcome;
    row.scores = {0, 1, -1, -1, -1, Measure::estimate};
    rows.push_back(std::move(row));
  };
  for (const DocumentPair& pair : errors.false_positives) add(pair, RowOutcome::false_positive);
  for (const DocumentPair& pair : errors.false_negatives) add(pair, RowOutcome::false_negative);
  return report_rows_json(rows, {});
}

Result<void> write_eval_report(const EvalReport& report, OutputFile& file) {
  ReportData data;
  data.kind = ReportKind::eval;
  data.title = report_title(report.inputs);
  for (const std::string& input : report.inputs) data.settings.emplace_back("input", input);
  data.settings.emplace_back("gold", report.gold);
  data.rule = report.rule;
  data.verified = report.verified;
  if (!report.texts) data.warnings.push_back({"no_texts", {}, {}});
  if (report.judged) data.warnings.push_back({"judged_only", {}, {}});
  if (report.gold_left_out > 0)
    data.warnings.push_back({"outside_gold", {{"count", std::to_string(report.gold_left_out)}}, {}});
  data.all_rows = report.errors;
  data.trials = report.trials;
  return write_report(data, [&](std::string_view part) { return file.write(part); });
}

}  // namespace leitong
