#include "dedup/find_pairs.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

#include "base/try.hpp"
#include "dedup/audit.hpp"
#include "dedup/audited_pairs.hpp"
#include "dedup/confirm_copies.hpp"
#include "dedup/cosine_pairs.hpp"
#include "dedup/families.hpp"
#include "dedup/found_stage.hpp"
#include "dedup/losses.hpp"
#include "dedup/method.hpp"
#include "dedup/rule_in_force.hpp"
#include "dedup/scan.hpp"
#include "dedup/settling.hpp"
#include "dedup/template/stage.hpp"
#include "dedup/unseen.hpp"
#include "dedup/verdict_log.hpp"
#include "dedup/verify.hpp"
#include "feature/shingles.hpp"
#include "scheme/resources.hpp"
#include "similarity/loss_limits.hpp"

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

// Passes candidates that the store does not hold yet on to the verifier.
class NewPairs final : public CandidateSink {
 public:
  NewPairs(PairStore& known, Verifier& verifier) : known_(known), verifier_(verifier) {}

  Result<void> offer(std::span<const Candidate> candidates) override {
    const std::scoped_lock lock(mutex_);
    waiting_.insert(waiting_.end(), candidates.begin(), candidates.end());
    return {};
  }
  // The bound is the number of candidates that the verifier itself would hold.
  [[nodiscard]] bool full() const override { return waiting_.size() >= kMostWaiting; }
  Result<void> flush() override {
    std::sort(waiting_.begin(), waiting_.end(), by_documents);
    LEITONG_TRY(known_.sort());  // adds the pairs that the last flush led to
    LEITONG_ASSIGN(const std::vector<Candidate> unseen, not_in(known_, waiting_));
    waiting_.clear();
    LEITONG_TRY(verifier_.offer(unseen));
    return verifier_.flush();
  }
  [[nodiscard]] bool matched(DocId document) const override { return verifier_.matched(document); }

 private:
  static constexpr std::size_t kMostWaiting = std::size_t{1} << 19;  // 10 MB
  PairStore& known_;
  Verifier& verifier_;
  std::mutex mutex_;
  std::vector<Candidate> waiting_;
};

/// The logs of a run whose stages are kept, and the stage that an earlier run reached.
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
  Result<void> reach(std::string_view stage, const PairResult& found) {
    if (folder == nullptr) return {};
    LEITONG_TRY(verdicts->flush());
    return save_found(*folder, stage, found);
  }
};

// Finds all pairs and confirms copies.
Result<void> match(PairFinder& finder, Verifier& verifier, const Rule& rule, bool verify, PairResult& found) {
  LEITONG_TRY(finder.find(verifier));
  LEITONG_TRY(found.pairs->sort());
  if (verify && rule.passage_units > 0) {
    std::vector<DocId> family;
    if (verifier.works() != nullptr)
      for (DocId d = 0; d < found.table.units.size(); ++d) family.push_back(verifier.works()->family(d));
    NewPairs unseen(*found.pairs, verifier);
    LEITONG_TRY(finder.find_passages(unseen, family));
    LEITONG_TRY(found.pairs->sort());
  }
  // A document that shares a part with many others is no member of a family, and is compared only with those
  // others.
  if (verify && rule.passage_units == 0)
    LEITONG_TRY(complete_families(*found.pairs, found.table, verifier, finder, rule));
  if (found.aside) LEITONG_TRY(found.aside->sort());
  found.figures = finder.figures();
  found.common.resize(found.table.units.size());
  for (DocId d = 0; d < found.common.size(); ++d) found.common[d] = finder.is_common(d);
  return {};
}

// Returns the pairs that a caller asks about, as the first decision leaves them.
Result<std::vector<VerifiedPair>> compare_asked(std::span<const std::pair<DocId, DocId>> asked,
                                                Verifier& verifier) {
  std::vector<Candidate> candidates;
  for (const auto& [a, b] : asked) {
    candidates.push_back({a, b});
    candidates.back().frame = Candidate::kAnyFrame;  // the second decision has to decide
  }
  std::sort(candidates.begin(), candidates.end(), by_documents);
  return verifier.compare_uncounted(candidates);
}

Result<void> decide_asked(std::span<const VerifiedPair> asked, TemplateStage& stage, PairResult& found) {
  const auto accept = [&](const VerifiedPair& pair) -> Result<void> {
    found.asked.push_back({true, pair});
    return {};
  };
  return stage.decide_also(asked, accept, [&](const VerifiedPair& pair, double) {
    found.asked.push_back({false, pair});
  });
}

}  // namespace

Result<void> decide_again(TemplateStage& stage, Verifier& verifier, RunContext& run, PairResult& found) {
  auto decided = std::make_unique<PairStore>(found.table.units.size(), run);
  LEITONG_TRY(stage.decide_all(
      *found.pairs, *found.aside, [&](const VerifiedPair& pair) { return decided->add(pair); },
      [&](const VerifiedPair& pair, double closeness) { verifier.refuse(pair, closeness); }));
  LEITONG_TRY(decided->sort());
  LEITONG_ASSIGN(const bool any_doubtful, stage.find_doubtful(*decided));
  if (any_doubtful) {
    auto told = std::make_unique<PairStore>(found.table.units.size(), run);
    LEITONG_TRY(
        decided->for_each([&](const VerifiedPair& pair) { return told->add(stage.with_doubt(pair)); }));
    LEITONG_TRY(told->sort());
    decided = std::move(told);
  }
  verifier.decide_again(stage, *decided);
  found.pairs = std::move(decided);
  found.aside.reset();
  found.templates = stage.figures();
  return {};
}

Result<PairResult> find_pairs(DocumentSource& source, const FindOptions& wanted,
                              const PrecedenceFn& precedence, RunContext& run) {
  PairResult found;
  LEITONG_ASSIGN(const FindOptions options, in_force(wanted));
  source.fold_by(options.folding);
  found.folding = options.folding;
  const Rule& rule = options.rule;
  LEITONG_ASSIGN(const bool templates, ignores_templates(options, rule));
  const Rule wide = templates && !rule.measure ? widened(rule) : rule;
  StageClock clock(found.stage_seconds);
  LEITONG_ASSIGN(KeptStages stages, KeptStages::open(options.stages));
  const bool decided = stages.reached(kDecisionsStage), matched = decided || stages.reached(kPairsStage);
  const auto resources = resources_of(run.context, options.dictionaries);
  LEITONG_ASSIGN(const Method method, make_method(options.method, options.params, *resources,
                                                  {.rule = rule,
                                                   .table = found.table,
                                                   .run = run,
                                                   .verify = options.verify,
                                                   .templates = templates,
                                                   .sites = static_cast<bool>(options.sites),
                                                   .folding = options.folding}));
  LEITONG_TRY(resources->check_used());
  PairFinder& finder = *method.finder;
  std::unique_ptr<RecallSample> sample;
  if (options.audit && options.verify && rule.measure != Measure::edit && rule.shingle_units == kShingleUnits)
    sample = std::make_unique<RecallSample>(
        wide, found.table, SampleBounds::within(run.memory, options.recall_sample), run.memory);

  std::optional<KeptUnits> kept;
  if (templates) kept.emplace(found.table, run);  // without them few texts are read again
  Scan first_pass{.source = source,
                  .sketcher = *method.scheme,
                  .take = [&](DocId document, auto words) -> Result<void> {
                    return matched ? Result<void>{} : finder.add(document, words);
                  },
                  .table = found.table,
                  .sample = sample.get(),
                  .kept = kept ? &*kept : nullptr,
                  .sketches = stages.sketches ? &*stages.sketches : nullptr,
                  .run = run};
  LEITONG_TRY(scan(first_pass));
  if (stages.sketches) LEITONG_TRY(stages.sketches->flush());
  if (options.scanned) LEITONG_TRY(options.scanned());
  found.copies = std::move(first_pass.copies);
  found.text_bytes = first_pass.text_bytes;
  found.artifacts = first_pass.artifacts;
  found.without_signature = first_pass.without_sketch;
  clock.lap("read");
  if (decided) {
    LEITONG_TRY(load_found(*options.stages, kDecisionsStage, run, found));
    LEITONG_ASSIGN(const std::vector<bool> paired, found.paired());
    // the callback also counts documents for the summary
    LEITONG_TRY(precedence(found.table, paired));
    clock.lap("resume");
    return found;
  }

  std::optional<DocumentVectors> vectors;
  if (options.vectors) {
    LEITONG_ASSIGN(vectors, options.vectors());
    clock.lap("read vectors");
  }
  Sites sites;
  if (templates && options.sites) {
    LEITONG_ASSIGN(sites, options.sites());
    clock.lap("sites");
  }
  found.pairs = std::make_unique<PairStore>(found.table.units.size(), run);
  if (templates) found.aside = std::make_unique<PairStore>(found.table.units.size(), run);
  if (matched) LEITONG_TRY(load_found(*options.stages, kPairsStage, run, found));
  Verifier verifier(source, found.table, *found.pairs,
                    {.rule = rule,
                     .verify = options.verify,
                     .log = stages.verdicts ? &*stages.verdicts : nullptr,
                     .aside = found.aside.get(),
                     .sites = options.sites ? &sites : nullptr,
                     .units = kept ? &*kept : nullptr},
                    run);
  if (matched) {
    verifier.restore(found.candidates, found.near_misses);
    clock.lap("resume");
  } else {
    LEITONG_TRY(match(finder, verifier, rule, options.verify, found));
    clock.lap("match");
    LEITONG_ASSIGN(found.hash_collisions, confirm_copies(source, found.table, run, found.copies));
    clock.lap("copies");
    found.candidates = verifier.decided();
    found.near_misses.assign(verifier.near_misses().begin(), verifier.near_misses().end());
    LEITONG_TRY(stages.reach(kPairsStage, found));
  }

  std::optional<AuditedPairs> audited;
  if (sample) {
    LEITONG_ASSIGN(audited, AuditedPairs::take(*sample, finder, found));
  }
  std::optional<TemplateStage> second;
  if (templates) {
    second.emplace(
        TemplateStage::Input{source, found.table, rule, found.copies, options.sites ? &sites : nullptr,
                             kept ? &*kept : nullptr, 0, options.base},
        run);
    std::vector<VerifiedPair> also;
    if (audited) {
      LEITONG_ASSIGN(
          const auto unseen,
          audited->compare_unseen(verifier, rule, ShingledTexts(source, kept ? &*kept : nullptr), found));
      also.assign(unseen.begin(), unseen.end());
    }
    LEITONG_ASSIGN(const std::vector<VerifiedPair> asked, compare_asked(options.asked, verifier));
    also.insert(also.end(), asked.begin(), asked.end());
    LEITONG_TRY(second->learn(*found.pairs, *found.aside, also));
    LEITONG_TRY(decide_again(*second, verifier, run, found));
    LEITONG_TRY(decide_asked(asked, *second, found));
    clock.lap("templates");
  }

  std::optional<CosinePairs> by_cosine;
  if (vectors) {
    by_cosine.emplace(source, *vectors, options, run, found);
    LEITONG_TRY(by_cosine->find());
    clock.lap("vectors");
  }

  LEITONG_ASSIGN(const std::vector<bool> paired, found.paired());
  LEITONG_ASSIGN(Precedence order, precedence(found.table, paired));
  std::optional<GroupedTexts> grouped;
  if (options.groups) {
    LEITONG_ASSIGN(FieldGroups groups, options.groups());
    LEITONG_ASSIGN(grouped, divide_found(std::move(groups), order, options.remove, run, found));
    verifier.divide(*grouped, *found.pairs);
  }
  const bool completes_cosine = by_cosine && by_cosine->may_miss() && !grouped;
  LEITONG_TRY(settle_found(found, verifier, order,
                           {.by_rule = options.verify && rule.measure != Measure::edit,
                            .by_cosine = completes_cosine ? &*by_cosine : nullptr,
                            .groups = grouped ? &*grouped : nullptr}));
  found.candidates = verifier.decided();
  clock.lap("cluster");
  if (sample) {
    LEITONG_ASSIGN(found.audit, audited->evaluate(verifier, second ? &*second : nullptr,
                                                  grouped ? &*grouped : nullptr, found));
    clock.lap("audit");
  }
  found.near_misses = verifier.take_near_misses();
  if (grouped)
    std::erase_if(found.near_misses,
                  [&](const RefusedPair& miss) { return !grouped->may_compare(miss.pair.a, miss.pair.b); });
  if (asks_for_losses(options.remove)) {
    LossReader losses({source, found.table, second ? &*second : nullptr, kept ? &*kept : nullptr,
                       grouped ? &*grouped : nullptr},
                      run);
    found.has_all_losses = options.all_losses || options.covering;
    LEITONG_TRY(run.stop.check());
    if (found.has_all_losses) LEITONG_TRY(losses.read_all(*found.pairs));
    if (options.covering) LEITONG_TRY(settle_by_covering(options.remove, order, found));
    LEITONG_TRY(settle_removals(options.remove, order, losses, found));
    clock.lap("losses");
  }
  if (options.keep_each) {
    LEITONG_ASSIGN(const std::vector<std::uint32_t> value, options.keep_each());
    found.kept_for_value = keep_one_of_each(value, order.rank, found.settlement);
  }
  if (second) found.marks = second->take_marks();
  LEITONG_TRY(stages.reach(kDecisionsStage, found));
  return found;
}

}  // namespace leitong
