#include "job/measure_result.hpp"

#include <fmt/core.h>

#include <span>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "evaluate/error_pairs.hpp"
#include "evaluate/gold.hpp"
#include "io/run_context.hpp"
#include "job/eval_report.hpp"

namespace leitong {

Result<MeasuredResult> measure_result(const ResultFiles& files, const Context& context) {
  const StopToken stop = RunContext(context).stop;
  MeasuredResult measured;
  IdNumbers ids;
  if (!files.ids.empty()) {
    LEITONG_TRY(read_ids(files.ids, ids, stop));
    measured.documents = ids.size();  // these ids have the first numbers
    if (ids.size() == 0) return fail(ErrorCode::corrupt, fmt::format("{}: no ids", files.ids));
  }
  LEITONG_ASSIGN(Gold gold, read_gold(files.gold, ids, stop));
  ClusterFile result;
  std::vector<DocumentPair> claimed;
  if (files.clusters.empty()) {
    LEITONG_ASSIGN(claimed, read_claimed_pairs(files.pairs, ids, stop));
  } else {
    LEITONG_ASSIGN(result, read_clusters(files.clusters, ids, stop));
  }
  if (files.ids.empty()) {
    measured.documents = files.documents == 0 ? ids.size() : files.documents;
    if (measured.documents < ids.size())
      return fail(ErrorCode::invalid_argument,
                  fmt::format("the number of documents is {}, and the files name {} documents",
                              measured.documents, ids.size()));
  }

  const std::uint64_t documents = measured.documents;
  const auto row_outside = [&](const auto& row) { return row.first >= documents; };
  const auto outside = [&](const DocumentPair& pair) {
    return pair.first >= documents || pair.second >= documents;
  };
  measured.left_out = {
      std::erase_if(gold.clusters.rows, row_outside),
      std::erase_if(gold.pairs, [&](const JudgedPair& judged) { return outside(judged.pair); }),
      std::erase_if(result.rows, row_outside), std::erase_if(claimed, outside)};

  const std::vector<Label> labels =
      files.clusters.empty() ? std::vector<Label>{} : labels_of(result, documents);
  const auto report = [&](const auto& truth) {
    if (!files.report) return;
    const std::size_t most = error_rows_of(1);
    measured.error_rows = error_rows(
        files.clusters.empty() ? error_pairs(truth, claimed, most) : error_pairs(truth, labels, most),
        ids.names());
  };
  if (gold.judged) {
    report(std::span<const JudgedPair>(gold.pairs));
    measured.judged = files.clusters.empty() ? judged_metrics(gold.pairs, std::move(claimed))
                                             : judged_metrics(gold.pairs, labels);
    measured.errors =
        measured.judged->claimed_different + measured.judged->same - measured.judged->claimed_same;
    return measured;
  }
  const std::vector<Label> truth = labels_of(gold.clusters, documents);
  report(std::span<const Label>(truth));
  if (files.clusters.empty()) {
    measured.pairs = pair_metrics(truth, std::move(claimed));
  } else {
    measured.clusters = cluster_metrics(truth, labels);
    measured.pairs = measured.clusters->pairs;
  }
  measured.errors = measured.pairs.claimed - measured.pairs.both + measured.pairs.gold - measured.pairs.both;
  return measured;
}

}  // namespace leitong
