#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "check_outputs.hpp"
#include "cluster/stored_pairs.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "io/output_file.hpp"
#include "io/tsv.hpp"
#include "standard_input.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

struct ClusterFlags {
  std::string pairs, measure, keep = "longest";
  std::string removed, clusters, components;
  double threshold = 0;
  std::uint64_t reference = 0;
  bool force = false;
};

std::vector<std::uint32_t> ranks(const StoredPairs& stored, bool longest) {
  std::vector<DocId> order(stored.ids.size());
  std::iota(order.begin(), order.end(), DocId{0});
  if (longest)
    std::stable_sort(order.begin(), order.end(),
                     [&](DocId x, DocId y) { return stored.units[x] > stored.units[y]; });
  std::vector<std::uint32_t> rank(order.size());
  for (std::uint32_t place = 0; place < order.size(); ++place) rank[order[place]] = place;
  return rank;
}

/// Numbers 1, 2, .. for the groups of two and more, in the order of their leaders; 0 for documents that are
/// alone.
template <class LeaderOf>
std::vector<std::uint32_t> group_numbers(std::size_t documents, const LeaderOf& leader_of) {
  std::vector<std::uint32_t> number(documents);
  for (DocId d = 0; d < documents; ++d)
    if (leader_of(d) != d) number[leader_of(d)] = 1;
  std::uint32_t next = 0;
  for (std::uint32_t& each : number)
    if (each != 0) each = ++next;
  for (DocId d = 0; d < documents; ++d)
    if (leader_of(d) != d) number[d] = number[leader_of(d)];
  return number;
}

std::string group_rows(const StoredPairs& stored, const std::vector<std::uint32_t>& number) {
  std::string rows;
  for (DocId d = 0; d < number.size(); ++d) {
    if (number[d] == 0) continue;
    append_tsv_field(stored.ids[d], rows);
    rows += fmt::format("\t{}\n", number[d]);
  }
  return rows;
}

/// `pairs` as they are numbered in the settlement.
std::string removed_rows(const StoredPairs& stored, const std::vector<VerifiedPair>& pairs,
                         const Settlement& settlement, const std::vector<std::uint32_t>& cluster) {
  std::string rows;
  for (DocId d = 0; d < stored.ids.size(); ++d) {
    if (settlement.stays(d)) continue;
    const std::uint32_t index = settlement.pair[d];
    const bool copy = index == Settlement::kNoPair;
    nlohmann::ordered_json row;
    row["id"] = stored.ids[d];
    row["kept"] = stored.ids[settlement.kept[d]];
    row["cluster"] = cluster[d];
    row["measure"] = measure_name(copy ? Measure::identical : pairs[index].measure);
    row["score"] = copy ? 1.0 : std::stod(fmt::format("{:.6g}", pairs[index].score));
    rows += row.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  return rows;
}

Result<void> write_all(std::initializer_list<std::pair<const std::string*, std::string>> files, bool force) {
  std::vector<std::unique_ptr<OutputFile>> open;
  std::vector<Staged*> written;
  for (const auto& [name, bytes] : files) {
    if (name->empty()) continue;
    LEITONG_ASSIGN(std::unique_ptr<OutputFile> file, OutputFile::create(*name, force));
    LEITONG_TRY(file->write(bytes));
    written.push_back(open.emplace_back(std::move(file)).get());
  }
  return commit_all(written);
}

Result<void> cluster(ClusterFlags& flags) {
  LEITONG_TRY(default_to_standard_input(flags.pairs));
  if (flags.removed.empty() && flags.clusters.empty() && flags.components.empty())
    return fail(ErrorCode::invalid_argument,
                "nothing would be written; name what you want: --removed FILE, --clusters FILE or "
                "--components FILE (- for "
                "standard output)");
  LEITONG_TRY(check_outputs(
      {{"--removed", flags.removed}, {"--clusters", flags.clusters}, {"--components", flags.components}},
      {flags.pairs}));
  std::optional<Measure> measure;
  if (!flags.measure.empty())
    measure = flags.measure == "containment" ? Measure::containment : Measure::jaccard;
  LEITONG_ASSIGN(const StoredPairs stored, read_stored_pairs(flags.pairs, measure, flags.threshold));
  if (stored.rows > stored.copies.size() && flags.threshold < static_cast<double>(stored.least))
    print_warning(fmt::format(
        "the least value in {} is {:.4g}: pairs below it were never stored, so a threshold of {} finds no "
        "more of them; make the pairs anew with it",
        flags.pairs, stored.least, flags.threshold));

  const std::size_t documents = stored.ids.size();
  const auto references = std::lower_bound(stored.numbers.begin(), stored.numbers.end(), flags.reference);
  MemoryBudget memory;
  const WorkFolder work;
  PairStore store(documents, memory, work);
  for (const VerifiedPair& pair : stored.pairs) LEITONG_TRY(store.add(pair));
  LEITONG_TRY(store.sort());
  std::vector<VerifiedPair> pairs;
  LEITONG_TRY(store.for_each([&](const VerifiedPair& pair) { pairs.push_back(pair); }));
  LEITONG_ASSIGN(const Settlement settlement,
                 settle(documents, store, stored.copies, ranks(stored, flags.keep == "longest"),
                        static_cast<DocId>(references - stored.numbers.begin())));
  const auto cluster_of = group_numbers(documents, [&](DocId d) { return settlement.kept[d]; });
  const auto component_of = group_numbers(documents, [&](DocId d) { return settlement.component[d]; });
  LEITONG_TRY(write_all({{&flags.removed, removed_rows(stored, pairs, settlement, cluster_of)},
                         {&flags.clusters, group_rows(stored, cluster_of)},
                         {&flags.components, group_rows(stored, component_of)}},
                        flags.force));

  std::uint64_t removed = 0;
  for (DocId d = 0; d < documents; ++d) removed += settlement.stays(d) ? 0 : 1;
  const auto largest = [](const std::vector<std::uint32_t>& number) {
    return number.empty() ? 0 : *std::max_element(number.begin(), number.end());
  };
  print_note(fmt::format("{} of {} reach {}, and {}: {} removed, {}, {}", human_count(stored.pairs.size()),
                         human_counted(stored.rows, "pair"), flags.threshold,
                         human_counted(stored.copies.size(), "copy", "copies"), human_count(removed),
                         human_counted(largest(cluster_of), "cluster"),
                         human_counted(largest(component_of), "component")));
  return {};
}

}  // namespace

Run add_cluster(CLI::App& app) {
  auto flags = std::make_shared<ClusterFlags>();
  add_text(app, "PAIRS", flags->pairs, "FILE",
           "a file of leitong pairs or leitong dedup --pairs (standard input)");
  add_number(app, "--threshold", flags->threshold, "T", 0, 1, "pairs below it don't count").required();
  add_choice(app, "--measure", flags->measure, {"jaccard", "containment"},
             "the measure that --threshold is about (the one that decided each pair)");
  add_choice(app, "--keep", flags->keep, {"longest", "first"}, "which document of a cluster stays (longest)");
  add_whole(app, "--reference", flags->reference, "N", 0, UINT32_MAX,
            "the first N documents are references (their number is \"reference\" in dedup --json) and are "
            "never removed");
  add_text(app, "--removed", flags->removed, "FILE",
           "JSONL: what leaves, for which document, by which measure and score");
  add_text(app, "--clusters", flags->clusters, "FILE",
           "TSV: id and cluster, of every kept document with those that left for it");
  add_text(app, "--components", flags->components, "FILE",
           "TSV: id and connected component, where chains count as well");
  add_switch(app, "--force", flags->force, "replace outputs that exist");
  add_examples(
      app,
      "Examples:\n"
      "  leitong pairs corpus.jsonl -o pairs.tsv\n"
      "  leitong cluster pairs.tsv --threshold 0.8 --clusters clusters.tsv\n"
      "  leitong cluster pairs.tsv --threshold 0.5 --measure jaccard --clusters - | leitong eval --gold "
      "gold.tsv --clusters -");
  return [flags] { return cluster(*flags); };
}

}  // namespace leitong::cli
