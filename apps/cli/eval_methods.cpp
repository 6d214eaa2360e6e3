#include "eval_methods.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/stop.hpp"
#include "evaluate/gold.hpp"
#include "human.hpp"
#include "in_child.hpp"
#include "method_params.hpp"
#include "report/escape.hpp"
#include "report/excerpt.hpp"
#include "similarity/passages.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownBytes = 90;

/// A method's findings in the numbers of the gold file.
struct Judged {
  Gold gold;
  std::vector<std::uint32_t> number;  // of each document
  std::vector<Label> truth, result;   // of each number
  std::vector<DocumentPair> claimed;
};

Result<Judged> judge(const Assessed& found, const std::string& gold_path) {
  LEITONG_ASSIGN(GoldOfDocuments of, read_gold_of(gold_path, found.ids));
  Judged judged{std::move(of.gold), std::move(of.number), {}, {}, {}};
  judged.truth = labels_of(judged.gold.clusters, of.numbers);
  judged.result.resize(of.numbers);
  for (Label d = 0; d < of.numbers; ++d) judged.result[d] = d;
  for (DocId d = 0; d < found.ids.size(); ++d) judged.result[judged.number[d]] = judged.number[found.kept[d]];
  for (const VerifiedPair& pair : found.pairs)
    judged.claimed.emplace_back(judged.number[pair.a], judged.number[pair.b]);
  return judged;
}

void add_score(Json& row, const std::string& name, const Score& score) {
  row[name + "_precision"] = score.precision;
  row[name + "_recall"] = score.recall;
  row[name + "_f1"] = score.f1();
}

Json measure(const Assessed& found, const Judged& judged) {
  Json row;
  if (judged.gold.judged) {
    const JudgedCounts counts = judged_metrics(judged.gold.pairs, judged.claimed);
    add_score(row, "pairs", counts.pairs().score());
    row["accuracy"] = counts.accuracy();
  } else {
    add_score(row, "pairs", pair_metrics(judged.truth, judged.claimed).score());
    const ClusterMetrics metrics = cluster_metrics(judged.truth, judged.result);
    add_score(row, "b_cubed", metrics.b_cubed);
    row["adjusted_rand"] = metrics.adjusted_rand;
    row["gold_dedup_rate"] = metrics.gold_dedup_rate();
  }
  double bytes = 0, removed = 0, removed_bytes = 0;
  for (DocId d = 0; d < found.ids.size(); ++d) {
    bytes += static_cast<double>(found.bytes[d]);
    if (found.kept[d] == d) continue;
    ++removed;
    removed_bytes += static_cast<double>(found.bytes[d]);
  }
  const auto documents = static_cast<double>(found.ids.size());
  row["claimed_pairs"] = judged.claimed.size();
  row["dedup_rate"] = documents > 0 ? removed / documents : 0;
  row["dedup_rate_bytes"] = bytes > 0 ? removed_bytes / bytes : 0;
  row["without_signature"] = found.without_signature;
  row["candidates_per_document"] = documents > 0 ? static_cast<double>(found.candidates) / documents : 0;
  row["seconds"] = found.seconds;
  row["documents_per_second"] = documents / found.seconds;
  row["mb_per_second"] = bytes / 1e6 / found.seconds;
  return row;
}

/// The longest passage that two documents share.
Result<std::string> passage_of(const Corpus& corpus, DocId a, DocId b) {
  const auto scratch = corpus.new_scratch();
  LEITONG_ASSIGN(const DocumentText first, corpus.read(a, *scratch));
  const std::string text_a(first.text);
  LEITONG_ASSIGN(const DocumentText second, corpus.read(b, *scratch));
  const SharedPassages shared = shared_passages(text_a, second.text);
  const auto longest = std::max_element(shared.passages.begin(), shared.passages.end(),
                                        [](const Passage& x, const Passage& y) { return x.units < y.units; });
  if (longest == shared.passages.end()) return std::string();
  std::string shown(
      utf8_prefix(std::string_view(text_a).substr(longest->a.begin, longest->a.size()), kShownBytes));
  std::replace(shown.begin(), shown.end(), '\n', ' ');
  return shown;
}

Json example(const Assessed& found, const Corpus& corpus, DocId a, DocId b, double score) {
  Json row{{"id_a", found.ids[a]}, {"id_b", found.ids[b]}};
  if (score >= 0) row["score"] = score;
  if (const auto passage = passage_of(corpus, a, b)) row["longest_shared_passage"] = *passage;
  return row;
}

/// False pairs that the method is surest of, and true pairs that it missed, an even choice of them.
Json examples(const Assessed& found, const Judged& judged, const Corpus& corpus, std::size_t count) {
  std::vector<const VerifiedPair*> wrong;
  std::set<DocumentPair> claimed;
  for (const VerifiedPair& pair : found.pairs) {
    claimed.emplace(pair.a, pair.b);
    if (judged.truth[judged.number[pair.a]] != judged.truth[judged.number[pair.b]]) wrong.push_back(&pair);
  }
  std::stable_sort(wrong.begin(), wrong.end(),
                   [](const auto* x, const auto* y) { return x->score > y->score; });
  std::vector<DocumentPair> missed;
  std::vector<std::pair<Label, DocId>> by_label;
  for (DocId d = 0; d < found.ids.size(); ++d) by_label.emplace_back(judged.truth[judged.number[d]], d);
  std::sort(by_label.begin(), by_label.end());
  for (std::size_t i = 0; i < by_label.size(); ++i)
    for (std::size_t j = i + 1; j < by_label.size() && by_label[j].first == by_label[i].first; ++j)
      if (!claimed.contains({by_label[i].second, by_label[j].second}))
        missed.emplace_back(by_label[i].second, by_label[j].second);
  Json row{{"false_positives", wrong.size()}, {"false_negatives", missed.size()}};
  row["false_positive_examples"] = Json::array();
  row["false_negative_examples"] = Json::array();
  for (std::size_t i = 0; i < std::min(count, wrong.size()); ++i)
    row["false_positive_examples"].push_back(
        example(found, corpus, wrong[i]->a, wrong[i]->b, double{wrong[i]->score}));
  for (std::size_t i = 0; i < std::min(count, missed.size()); ++i) {
    const auto [a, b] = missed[i * missed.size() / std::min(count, missed.size())];
    row["false_negative_examples"].push_back(example(found, corpus, a, b, -1));
  }
  return row;
}

Result<std::string> try_method(const MethodTrial& trial, const std::string& name) {
  AssessOptions options = trial.options;
  options.find.method = name;
  options.find.params = params_of(name, trial.params);
  LEITONG_ASSIGN(const auto assessed, assess(options, stop_flag()));
  const auto& [found, corpus] = assessed;
  LEITONG_ASSIGN(const Judged judged, judge(found, trial.gold));
  Json row = measure(found, judged);
  if (trial.examples > 0 && !judged.gold.judged) row.update(examples(found, judged, *corpus, trial.examples));
  return row.dump();
}

std::string table(const Json& rows) {
  std::string out =
      fmt::format("{:<18} {:>6} {:>6} {:>6} {:>7} {:>7} {:>7} {:>7} {:>8} {:>9} {:>9}\n", "method", "P", "R",
                  "F1", "B3 F1", "ARI", "docs %", "bytes %", "cand/doc", "docs/s", "peak");
  for (const auto& [name, row] : rows.items())
    out += fmt::format(
        "{:<18} {:>6.4f} {:>6.4f} {:>6.4f} {:>7.4f} {:>7.4f} {:>7.2f} {:>7.2f} {:>8.2f} {:>9.0f} {:>9}\n",
        name, row["pairs_precision"].get<double>(), row["pairs_recall"].get<double>(),
        row["pairs_f1"].get<double>(), row.value("b_cubed_f1", 0.0), row.value("adjusted_rand", 0.0),
        100 * row["dedup_rate"].get<double>(), 100 * row["dedup_rate_bytes"].get<double>(),
        row["candidates_per_document"].get<double>(), row["documents_per_second"].get<double>(),
        human_bytes(row["peak_memory"].get<double>()));
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

}  // namespace

Result<void> eval_methods(const MethodTrial& trial) {
  LEITONG_TRY(check_params(trial.methods, trial.params));
  Json rows = Json::object();
  for (const std::string& name : trial.methods) {
    LEITONG_ASSIGN(const ChildOutcome outcome, in_child([&] { return try_method(trial, name); }));
    rows[name] = Json::parse(outcome.output);
    rows[name]["peak_memory"] = outcome.peak_memory;
    if (const auto without = rows[name]["without_signature"].get<std::uint64_t>(); without > 0)
      print_warning(
          fmt::format("{}: {}; it found nothing but exact copies of these", name, lacking(name, without)));
  }
  return print_data(trial.json ? rows.dump(2) + "\n" : table(rows) + examples_text(rows));
}

}  // namespace leitong::cli
