#include "dedup/find_pairs.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <numeric>
#include <optional>

#include "dedup/audit.hpp"
#include "dedup/families.hpp"
#include "dedup/found_stage.hpp"
#include "dedup/method.hpp"
#include "dedup/rule_in_force.hpp"
#include "dedup/scan.hpp"
#include "dedup/settling.hpp"
#include "dedup/verdict_log.hpp"
#include "dedup/verify.hpp"
#include "feature/shingles.hpp"
#include "scheme/resources.hpp"

namespace leitong {
namespace {

class StageClock {
 public:
  explicit StageClock(std::vector<std::pair<std::string, double>>& out) : out_(out) {}
  void lap(std::string name) {
    const auto now = std::chrono::steady_clock::now();
    out_.emplace_back(std::move(name), std::chrono::duration<double>(now - last_).count());
    last_ = now;
  }

 private:
  std::vector<std::pair<std::string, double>>& out_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Decides the sample's pairs that the run hasn't verified, and counts.
Result<Audit> evaluate(RecallSample& sample, Verifier& verifier, const Found& found) {
  Audit audit;
  audit.sampled_documents = sample.sampled();
  audit.all_documents = sample.holds_all();
  const std::vector<Candidate> candidates = sample.take_candidates();
  std::vector<Candidate> unseen;
  std::map<DocId, double> pairs_of;  // each sampled document, the earlier one of its pairs
  auto next = candidates.begin();
  LEITONG_TRY(found.pairs->for_each([&](const VerifiedPair& p) {
    const Candidate pair{p.a, p.b};
    while (next != candidates.end() && by_documents(*next, pair)) unseen.push_back(*next++);
    if (next == candidates.end() || by_documents(pair, *next)) return;
    ++audit.direct;
    ++pairs_of[p.a];
    ++next;
  }));
  unseen.insert(unseen.end(), next, candidates.end());
  for (Candidate& c : unseen) {
    // Held to the same rule as in the run. What two documents share lies in the shorter one: if that is made
    // of common keys, nothing else could have led to this pair.
    c.template_only = found.common[found.table.units[c.a] <= found.table.units[c.b] ? c.a : c.b];
  }
  const Settlement& settlement = found.settlement;
  const auto stays = [&](DocId d) { return settlement.pair[d] == Settlement::kNoPair; };  // or a copy of it
  std::uint64_t missed = 0;
  LEITONG_TRY(verifier.decide(unseen, [&](const VerifiedPair& p) -> Result<void> {
    ++missed;
    ++pairs_of[p.a];
    audit.linked += settlement.component[p.a] == settlement.component[p.b];
    audit.both_stay += stays(p.a) && stays(p.b);
    return {};
  }));
  audit.pairs = audit.direct + missed;
  audit.linked += audit.direct;
  double squares = 0;
  for (const auto& [document, count] : pairs_of) squares += count * count;
  const auto pairs = static_cast<double>(audit.pairs);
  audit.independent_pairs = squares > 0 ? pairs * pairs / squares : 0;
  return audit;
}

}  // namespace

Result<std::vector<bool>> Found::paired() const {
  std::vector<bool> marks(table.units.size());
  LEITONG_TRY(pairs->for_each([&](const VerifiedPair& p) { marks[p.a] = marks[p.b] = true; }));
  for (const Copy& c : copies) marks[c.copy] = marks[c.original] = true;
  return marks;
}

Result<Precedence> longest_first(const DocumentTable& table, const std::vector<bool>&) {
  std::vector<DocId> order(table.units.size());
  std::iota(order.begin(), order.end(), DocId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](DocId x, DocId y) { return table.units[x] > table.units[y]; });
  Precedence precedence{std::vector<std::uint32_t>(order.size()), 0};
  for (std::uint32_t r = 0; r < order.size(); ++r) precedence.rank[order[r]] = r;
  return precedence;
}

namespace {

/// The logs of a run whose stages are kept, and which stage an earlier run reached.
struct KeptStages {
  const ArtifactFolder* folder = nullptr;
  std::optional<ShardLog> sketches = {};
  std::optional<VerdictLog> verdicts = {};

  static Result<KeptStages> open(const ArtifactFolder* folder) {
    KeptStages stages{folder};
    if (folder == nullptr) return stages;
    constexpr std::uint32_t kSketchesVersion = 2;
    LEITONG_ASSIGN(stages.sketches, ShardLog::open(*folder, "sketches", kSketchesVersion));
    LEITONG_ASSIGN(stages.verdicts, VerdictLog::open(*folder));
    return stages;
  }
  [[nodiscard]] bool reached(std::string_view stage) const { return folder != nullptr && folder->has(stage); }
  Result<void> reach(std::string_view stage, const Found& found) {
    if (folder == nullptr) return {};
    LEITONG_TRY(verdicts->flush());
    return save_found(*folder, stage, found);
  }
};

// All pairs, and copies confirmed.
Result<void> match(PairFinder& finder, Verifier& verifier, const Rule& rule, bool verify, Found& found) {
  LEITONG_TRY(finder.find(verifier));
  LEITONG_TRY(found.pairs->sort());
  if (verify) LEITONG_TRY(complete_families(*found.pairs, found.table, verifier, finder, rule));
  found.figures = finder.figures();
  found.common.resize(found.table.units.size());
  for (DocId d = 0; d < found.common.size(); ++d) found.common[d] = finder.is_common(d);
  return {};
}

}  // namespace

Result<Found> find_pairs(DocumentSource& source, const FindOptions& options, const PrecedenceFn& precedence,
                         RunContext& run) {
  Found found;
  LEITONG_ASSIGN(const Rule rule, rule_in_force(options));
  StageClock clock(found.stage_seconds);
  LEITONG_ASSIGN(KeptStages stages, KeptStages::open(options.stages));
  const bool decided = stages.reached(kDecisionsStage), matched = decided || stages.reached(kPairsStage);
  const auto resources = resources_of(run.context, options.dictionaries);
  LEITONG_ASSIGN(const Method method, make_method(options.method, options.params, *resources,
                                                  {rule, found.table, run, options.verify}));
  LEITONG_TRY(resources->check_used());
  PairFinder& finder = *method.finder;
  std::unique_ptr<RecallSample> sample;
  if (options.audit && options.verify && rule.measure != Measure::edit && rule.shingle_units == kShingleUnits)
    sample = std::make_unique<RecallSample>(rule, found.table);

  Scan first_pass{.source = source,
                  .sketcher = *method.scheme,
                  .take = [&](DocId document, auto words) -> Result<void> {
                    return matched ? Result<void>{} : finder.add(document, words);
                  },
                  .table = found.table,
                  .sample = sample.get(),
                  .sketches = stages.sketches ? &*stages.sketches : nullptr,
                  .run = run};
  LEITONG_TRY(scan(first_pass));
  if (stages.sketches) LEITONG_TRY(stages.sketches->flush());
  if (options.scanned) LEITONG_TRY(options.scanned());
  found.copies = std::move(first_pass.copies);
  found.text_bytes = first_pass.text_bytes;
  found.without_signature = first_pass.without_sketch;
  clock.lap("read");
  if (decided) {
    LEITONG_TRY(load_found(*options.stages, kDecisionsStage, run, found));
    LEITONG_ASSIGN(const std::vector<bool> paired, found.paired());
    LEITONG_TRY(precedence(found.table, paired));  // who is asked counts what it was asked
    clock.lap("resume");
    return found;
  }

  found.pairs = std::make_unique<PairStore>(found.table.units.size(), run);
  if (matched) LEITONG_TRY(load_found(*options.stages, kPairsStage, run, found));
  Verifier verifier(source, found.table, *found.pairs,
                    {rule, options.verify, stages.verdicts ? &*stages.verdicts : nullptr}, run);
  if (matched) {
    verifier.restore(found.candidates, found.near_misses);
    clock.lap("resume");
  } else {
    LEITONG_TRY(match(finder, verifier, rule, options.verify, found));
    clock.lap("match");
    LEITONG_ASSIGN(found.hash_collisions, verifier.confirm(found.copies));
    clock.lap("copies");
    found.candidates = verifier.decided();
    found.near_misses.assign(verifier.near_misses().begin(), verifier.near_misses().end());
    LEITONG_TRY(stages.reach(kPairsStage, found));
  }

  LEITONG_ASSIGN(const std::vector<bool> paired, found.paired());
  LEITONG_ASSIGN(const Precedence order, precedence(found.table, paired));
  LEITONG_TRY(settle_found(found, verifier, order, options.verify && rule.measure != Measure::edit));
  found.candidates = verifier.decided();
  clock.lap("cluster");
  if (sample) {
    LEITONG_ASSIGN(found.audit, evaluate(*sample, verifier, found));
    clock.lap("audit");
  }
  found.near_misses = verifier.take_near_misses();
  LEITONG_TRY(stages.reach(kDecisionsStage, found));
  return found;
}

}  // namespace leitong
