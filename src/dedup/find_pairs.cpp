#include "dedup/find_pairs.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>

#include "dedup/audit.hpp"
#include "dedup/families.hpp"
#include "dedup/method.hpp"
#include "dedup/rule_in_force.hpp"
#include "dedup/scan.hpp"
#include "dedup/settling.hpp"
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
Result<Audit> evaluate(RecallSample& sample, Verifier& verifier, const PairFinder& finder,
                       const Found& found) {
  Audit audit;
  audit.sampled_documents = sample.sampled();
  const std::vector<Candidate> candidates = sample.take_candidates();
  std::vector<Candidate> unseen;
  auto next = candidates.begin();
  LEITONG_TRY(found.pairs->for_each([&](const VerifiedPair& p) {
    const Candidate pair{p.a, p.b};
    while (next != candidates.end() && by_documents(*next, pair)) unseen.push_back(*next++);
    if (next == candidates.end() || by_documents(pair, *next)) return;
    ++audit.direct;
    ++next;
  }));
  unseen.insert(unseen.end(), next, candidates.end());
  for (Candidate& c : unseen) {
    // Held to the same rule as in the run. What two documents share lies in the shorter one: if that is made
    // of common keys, nothing else could have led to this pair.
    c.template_only = finder.is_common(found.table.units[c.a] <= found.table.units[c.b] ? c.a : c.b);
  }
  const Settlement& settlement = found.settlement;
  const auto stays = [&](DocId d) { return settlement.pair[d] == Settlement::kNoPair; };  // or a copy of it
  std::uint64_t missed = 0;
  LEITONG_TRY(verifier.decide(unseen, [&](const VerifiedPair& p) -> Result<void> {
    ++missed;
    audit.linked += settlement.component[p.a] == settlement.component[p.b];
    audit.both_stay += stays(p.a) && stays(p.b);
    return {};
  }));
  audit.pairs = audit.direct + missed;
  audit.linked += audit.direct;
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

Result<Found> find_pairs(DocumentSource& source, const FindOptions& options, const PrecedenceFn& precedence,
                         RunContext& run) {
  Found found;
  LEITONG_ASSIGN(const Rule rule, rule_in_force(options));
  StageClock clock(found.stage_seconds);
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
                  .take = [&](DocId document, auto words) { return finder.add(document, words); },
                  .table = found.table,
                  .sample = sample.get(),
                  .run = run};
  LEITONG_TRY(scan(first_pass));
  if (options.scanned) LEITONG_TRY(options.scanned());
  found.copies = std::move(first_pass.copies);
  found.text_bytes = first_pass.text_bytes;
  found.without_signature = first_pass.without_sketch;
  clock.lap("read");

  found.pairs = std::make_unique<PairStore>(found.table.units.size(), run);
  Verifier verifier(source, found.table, *found.pairs, {rule, options.verify}, run);
  LEITONG_TRY(finder.find(verifier));
  LEITONG_TRY(found.pairs->sort());
  if (options.verify) LEITONG_TRY(complete_families(*found.pairs, found.table, verifier, finder, rule));
  found.figures = finder.figures();
  clock.lap("match");

  LEITONG_ASSIGN(found.hash_collisions, verifier.confirm(found.copies));
  clock.lap("copies");

  LEITONG_ASSIGN(const std::vector<bool> paired, found.paired());
  LEITONG_ASSIGN(const Precedence order, precedence(found.table, paired));
  LEITONG_TRY(settle_found(found, verifier, finder, order, options.verify && rule.measure != Measure::edit));
  found.candidates = verifier.decided();
  clock.lap("cluster");
  if (sample) {
    LEITONG_ASSIGN(found.audit, evaluate(*sample, verifier, finder, found));
    clock.lap("audit");
  }
  found.near_misses = verifier.take_near_misses();
  return found;
}

}  // namespace leitong
