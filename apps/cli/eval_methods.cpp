#include "eval_methods.hpp"

#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/try.hpp"
#include "command_context.hpp"
#include "human.hpp"
#include "in_child.hpp"
#include "io/output_file.hpp"
#include "job/eval_report.hpp"
#include "method_params.hpp"
#include "report/escape.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

using Json = nlohmann::ordered_json;

void add_score(Json& row, const std::string& name, const Score& score) {
  row[name + "_precision"] = score.precision;
  row[name + "_recall"] = score.recall;
  row[name + "_f1"] = score.f1();
}

Json example(const TrialExample& shown) {
  Json row{{"id_a", shown.id_a}, {"id_b", shown.id_b}};
  if (shown.score) row["score"] = *shown.score;
  row["longest_shared_passage"] = shown.passage;
  return row;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

Json row_of(const Trial& trial, bool with_examples) {
  Json row;
  add_score(row, "pairs", trial.pairs);
  if (trial.judged) {
    row["accuracy"] = trial.accuracy;
  } else {
    add_score(row, "b_cubed", trial.clusters.b_cubed);
    row["adjusted_rand"] = trial.clusters.adjusted_rand;
    row["gold_dedup_rate"] = trial.clusters.gold_dedup_rate();
  }
  row["documents"] = trial.documents;
  row["claimed_pairs"] = trial.claimed_pairs;
  row["dedup_rate"] = share(trial.removed, trial.documents);
  row["dedup_rate_bytes"] = share(trial.removed_bytes, trial.bytes);
  row["absent"] = trial.absent;
  row["ids_absent"] = trial.listed_absent;
  row["without_signature"] = trial.without_signature;
  row["candidates_per_document"] = share(trial.candidates, trial.read_documents);
  row["seconds"] = trial.seconds;
  row["documents_per_second"] = static_cast<double>(trial.read_documents) / trial.seconds;
  row["mb_per_second"] = static_cast<double>(trial.read_bytes) / 1e6 / trial.seconds;
  if (!with_examples || trial.judged) return row;
  row["false_positives"] = trial.false_positives;
  row["false_negatives"] = trial.false_negatives;
  row["false_positive_examples"] = row["false_negative_examples"] = Json::array();
  for (const TrialExample& each : trial.false_positive_examples)
    row["false_positive_examples"].push_back(example(each));
  for (const TrialExample& each : trial.false_negative_examples)
    row["false_negative_examples"].push_back(example(each));
  return row;
}

/// The data that the child sends.
Result<std::string> try_one(TrialOptions options, const std::string& name,
                            const std::vector<std::string>& params, const ContextSettings& settings) {
  options.assess.find.method = name;
  options.assess.find.params = params_of(name, params);
  LEITONG_ASSIGN(const Trial trial, try_method(options, CommandContext(settings)));
  Json row = row_of(trial, options.examples > 0);
  if (options.reported > 0)
    row["report"] = {{"errors", trial.errors}, {"rows", trial.error_rows}, {"judged", trial.judged}};
  // Ids may be any bytes.
  return row.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string table(const Json& rows) {
  // Judged pairs have no clusters.
  const bool judged = !rows.empty() && rows.front().contains("accuracy");
  const auto of_truth = [&](const Json& row) {
    return judged ? fmt::format("{:>8.4f}", row["accuracy"].get<double>())
                  : fmt::format("{:>7.4f} {:>7.4f}", row["b_cubed_f1"].get<double>(),
                                row["adjusted_rand"].get<double>());
  };
  std::string out =
      fmt::format("{:<18} {:>6} {:>6} {:>6} {} {:>7} {:>7} {:>8} {:>9} {:>9}\n", "method", "P", "R", "F1",
                  judged ? "accuracy" : "  B3 F1     ARI", "docs %", "bytes %", "cand/doc", "docs/s", "peak");
  for (const auto& [name, row] : rows.items())
    out +=
        fmt::format("{:<18} {:>6.4f} {:>6.4f} {:>6.4f} {} {:>7.2f} {:>7.2f} {:>8.2f} {:>9.0f} {:>9}\n", name,
                    row["pairs_precision"].get<double>(), row["pairs_recall"].get<double>(),
                    row["pairs_f1"].get<double>(), of_truth(row), 100 * row["dedup_rate"].get<double>(),
                    100 * row["dedup_rate_bytes"].get<double>(), row["candidates_per_document"].get<double>(),
                    row["documents_per_second"].get<double>(), human_bytes(row["peak_memory"].get<double>()));
  return out;
}

std::string examples_text(const Json& rows) {
  std::string out;
  for (const auto& [name, row] : rows.items())
    for (const auto& [kind, what] : {std::pair("false_positive_examples", "claimed, and different"),
                                     std::pair("false_negative_examples", "the same, and not found")}) {
      if (!row.contains(kind)) continue;
      for (const Json& each : row[kind])
        append_terminal_safe(
            fmt::format("{}: {}: {} {}{}\n    {}\n", name, what, each["id_a"].get<std::string>(),
                        each["id_b"].get<std::string>(),
                        each.contains("score") ? fmt::format(" ({:.3f})", each["score"].get<double>()) : "",
                        each.value("longest_shared_passage", std::string()).empty()
                            ? "(no shared passage)"
                            : each["longest_shared_passage"].get<std::string>()),
            out);
    }
  return out;
}

/// Takes the data for the report out of the rows.
Result<void> write_report(const MethodTrial& trial, Json& rows, OutputFile& file) {
  EvalReport report;
  report.gold = trial.options.gold;
  report.inputs = trial.options.assess.input.paths;
  report.rule = trial.options.assess.find.rule;
  report.verified = trial.options.assess.find.verify;
  for (auto& [name, row] : rows.items()) {
    const Json errors = std::move(row["report"]);
    row.erase("report");
    report.judged = errors["judged"].get<bool>();
    report.errors += errors["errors"].get<std::uint64_t>();
    report.gold_left_out = row["absent"].get<std::uint64_t>();
    ReportTrial shown{name, {}, {}, errors["rows"].get<std::string>()};
    for (const auto& [figure, value] : row.items()) {
      if (value.is_number_float()) shown.figures.emplace_back(figure, value.get<double>());
      if (value.is_number_unsigned()) shown.counts.emplace_back(figure, value.get<std::uint64_t>());
    }
    report.trials.push_back(std::move(shown));
  }
  return write_eval_report(report, file);
}

}  // namespace

Result<void> eval_methods(const MethodTrial& trial) {
  LEITONG_TRY(check_params(trial.methods, trial.params));
  std::unique_ptr<OutputFile> report;
  if (!trial.report.empty()) {
    LEITONG_ASSIGN(report, OutputFile::create(trial.report, trial.force, told_to_stop()));
  }
  TrialOptions options = trial.options;
  options.reported = report ? trial.methods.size() : 0;
  Json rows = Json::object();
  for (const std::string& name : trial.methods) {
    LEITONG_ASSIGN(const ChildOutcome outcome,
                   in_child([&] { return try_one(options, name, trial.params, trial.context); }));
    rows[name] = Json::parse(outcome.output);
    rows[name]["peak_memory"] = outcome.peak_memory;
    if (const auto without = rows[name]["without_signature"].get<std::uint64_t>(); without > 0)
      print_warning(
          fmt::format("{}: {}; it found nothing but copies of these", name, lacking(name, without)));
  }
  if (!rows.empty()) {  // the same for every method
    warn_of_absent(trial.options.gold, rows.front()["absent"].get<std::uint64_t>());
    if (const auto absent = rows.front()["ids_absent"].get<std::uint64_t>(); absent > 0)
      print_warning(fmt::format("{} lists {} that no document of the input has", trial.options.ids,
                                human_counted(absent, "id")));
  }
  if (report) {
    LEITONG_TRY(write_report(trial, rows, *report));
    LEITONG_TRY(report->commit());
  }
  return print_data(trial.json ? rows.dump(2) + "\n" : table(rows) + examples_text(rows));
}

}  // namespace leitong::cli
