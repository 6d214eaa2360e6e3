#include "dedup/verify.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

#include "base/parallel.hpp"
#include "base/per_thread.hpp"
#include "base/try.hpp"
#include "dedup/text_bands.hpp"
#include "feature/ngrams.hpp"
#include "feature/shingle_set.hpp"
#include "feature/shingles.hpp"
#include "similarity/edit.hpp"
#include "similarity/intersect.hpp"
#include "similarity/noise.hpp"
#include "similarity/own_runs.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {

struct Verifier::Workspace {
  std::unique_ptr<ReadScratch> read;
  PodVector<Unit> units;
  PodVector<std::uint32_t> set, ordered, scratch;
};

// The lookup tables of documents that one thread compares, made at the first use: in a family, the same
// documents are compared with each other.
class Verifier::Lookups {
 public:
  /// Valid until the next call. The features must not move.
  const HashLookup& of(const Features& features) {
    if (features.shingles.size() > kLargest) return large_ = HashLookup(features.shingles);
    Entry& entry = kept_[std::hash<const Features*>()(&features) / sizeof(Features) % kept_.size()];
    if (entry.of != &features) entry = {&features, HashLookup(features.shingles)};
    return entry.lookup;
  }

 private:
  static constexpr std::size_t kLargest = std::size_t{1} << 14;  // 8 MB in all
  struct Entry {
    const Features* of = nullptr;
    HashLookup lookup;
  };
  std::array<Entry, 64> kept_;
  HashLookup large_;
};

Verifier::Verifier(const DocumentSource& source, const DocumentTable& table, PairStore& pairs,
                   Settings settings, RunContext& run)
    : source_(source),
      table_(table),
      pairs_(&pairs),
      settings_(settings),
      run_(run),
      held_(run.memory),
      matched_(table.units.size()) {
  if (settings.aside != nullptr) works_.emplace(table.units.size());
  if (settings.verify && settings.units != nullptr && !settings.units->in_memory())
    blocks_.emplace(*settings.units, run_);
}

Result<void> Verifier::know(const PairStore& pairs) {
  return pairs.for_each([&](const VerifiedPair& pair) {
    match(pair);
    if (pair.standing == PairStanding::same_work) works_->join(pair.a, pair.b);
  });
}

void Verifier::match(const VerifiedPair& pair) {
  // A document that only shares a template with another one has not been matched yet.
  if (!works_ || pair.standing == PairStanding::same_work) matched_[pair.a] = matched_[pair.b] = true;
}

void Verifier::restore(std::uint64_t decided, std::span<const RefusedPair> near_misses) {
  decided_ = decided;
  for (const RefusedPair& miss : near_misses) near_misses_.add(miss.pair, miss.closeness);
}

Result<void> Verifier::offer(std::span<const Candidate> candidates) {
  const std::scoped_lock lock(mutex_);
  waiting_.insert(waiting_.end(), candidates.begin(), candidates.end());
  offered_ += candidates.size();
  held_.set(waiting_.capacity() * sizeof(Candidate));
  if (!blocks_ || !many_wait()) return {};
  LEITONG_TRY(blocks_->add(waiting_));
  waiting_.clear();
  return {};
}

void Verifier::expect(double part) {
  const std::scoped_lock lock(mutex_);
  expected_ =
      offered_before_ + static_cast<std::uint64_t>(static_cast<double>(offered_ - offered_before_) / part);
  if (part >= 1) offered_before_ = offered_;
}

bool Verifier::many_wait() const noexcept {
  return waiting_.size() * sizeof(Candidate) > run_.memory.for_buffers() / 8;
}

bool Verifier::full() const { return !blocks_ && many_wait(); }

Result<void> Verifier::consider(DocId a, DocId b, bool template_only) {
  if (groups_ != nullptr) {
    if (!groups_->may_compare(a, b)) return {};
    a = groups_->text_of(a);
    b = groups_->text_of(b);
    if (a == b) return {};  // copies are paired already
  }
  const Candidate candidate{std::min(a, b), std::max(a, b), 0, template_only};
  LEITONG_TRY(offer({&candidate, 1}));
  return full() ? flush() : Result<void>{};
}

Result<void> Verifier::flush() {
  if (!blocks_) {
    LEITONG_TRY(decide_offered(waiting_));
    waiting_.clear();
    return {};
  }
  LEITONG_TRY(blocks_->add(waiting_));
  waiting_.clear();
  return blocks_->drain([&](std::vector<Candidate> some) { return decide_offered(some); });
}

Result<void> Verifier::decide_offered(std::vector<Candidate>& candidates) {
  auto order = [](const Candidate& c) { return std::tuple(c.a, c.b, c.template_only, !c.passage, -c.score); };
  tbb::parallel_sort(candidates, [&](const auto& x, const auto& y) { return order(x) < order(y); });
  // Of the candidates of one pair the first has the strongest evidence.
  auto same = [](const Candidate& x, const Candidate& y) { return x.a == y.a && x.b == y.b; };
  candidates.erase(std::unique(candidates.begin(), candidates.end(), same), candidates.end());
  const auto accept = [&](const VerifiedPair& pair) {
    match(pair);
    if (groups_ == nullptr) return pairs_->add(pair);
    return groups_->for_each_pair(pair, [&](const VerifiedPair& each) { return pairs_->add(each); });
  };
  if (settings_.verify) {
    LEITONG_TRY(
        decide(candidates, accept, [&](const VerifiedPair& pair) { return settings_.aside->add(pair); }));
  } else {
    for (const Candidate& c : candidates) LEITONG_TRY(accept({c.a, c.b, 0, 0, c.score, Measure::estimate}));
    decided_ += candidates.size();
  }
  return {};
}

// How TextBands compares two documents.
struct Verifier::Comparison {
  using Features = Verifier::Features;
  using Pair = Candidate;
  using Verdict = Verifier::Verdict;

  const Verifier& verifier;
  Verdicts& verdicts;
  bool passages = false;  // true if any candidate needs a passage
  NearMisses refused = {};
  std::vector<Verdict> unread = {};                        // pairs that may have noise
  mutable std::optional<PerThread<Lookups>> lookups = {};  // of the block that is compared

  // True if the order of the shingles is needed, too.
  [[nodiscard]] bool wants_more(const Candidate& candidate) const {
    return candidate.template_only || verifier.looks_at_passage(candidate) ||
           verifier.looks_at_works(candidate);
  }
  [[nodiscard]] std::uint64_t bytes(DocId document, bool ordered) const {
    const unsigned of_order = verifier.works_ && !passages ? 1 : 2;
    const unsigned arrays = 1 + of_order * ordered + (verifier.settings_.rule.measure == Measure::edit);
    return sizeof(Features) + std::uint64_t{sizeof(std::uint32_t)} * arrays * verifier.table_.units[document];
  }

  Result<void> build(Shelf<Features>& shelf) const {
    const Rule& rule = verifier.settings_.rule;
    lookups.emplace([] { return Lookups(); });
    shelf.features = std::vector<Features>(shelf.documents.size());
    return parallel_for_each(
        verifier.run_.stop, shelf.documents.size(),
        [&] {
          return Workspace{verifier.source_.new_scratch(), {}, {}, {}, {}};
        },
        [&](std::size_t i, Workspace& space) -> Result<void> {
          LEITONG_TRY(read_units(shelf.documents[i], verifier.source_, verifier.settings_.units, *space.read,
                                 space.units));
          Features& features = shelf.features[i];
          ArrayPool& arrays = shelf.arrays.local();
          const auto keep = [&](std::span<const std::uint32_t> values) { return arrays.copy(values); };
          if (rule.shingle_units == kShingleUnits) {
            shingle_hashes(space.units, space.set);
            if (shelf.more[i]) features.ordered = keep(space.set);
            make_shingle_set(space.set, space.scratch);
          } else {
            ngram_set(space.units, rule.shingle_units, space.set);
            if (shelf.more[i]) {
              shingle_hashes(space.units, space.ordered);
              features.ordered = keep(space.ordered);
            }
          }
          features.shingles = keep(space.set);
          features.may_have_letters = allows_noise(rule) && may_have_letters(space.units);
          if (shelf.more[i] && !verifier.works_) features.lookup = HashLookup(features.shingles);
          if (shelf.more[i] && passages)
            features.anchors = PassageAnchors(features.ordered, rule.passage_units);
          if (rule.measure == Measure::edit) features.units.append(space.units);
          return {};
        });
  }

  [[nodiscard]] Verdict compare(const Candidate& c, const Features& a, const Features& b) const {
    if (verifier.works_) return verifier.compare_works(c, a, b, lookups->local());
    const Verdict verdict = verifier.compare(c, a, b);
    if (verdict.closeness >= 1 || !c.template_only) return verdict;
    // If the pair was refused only because its keys are common, it may be edited copies of one text that was
    // copied often.
    const auto ordinary = verifier.settings_.rule.decide({c.a, c.b, c.score}, verdict.shared,
                                                         a.shingles.size(), b.shingles.size());
    if (!ordinary || ordinary->measure != Measure::jaccard) return verdict;
    if (is_shared(a.ordered, b.lookup, kThroughout) && is_shared(b.ordered, a.lookup, kThroughout))
      return {*ordinary, 1};
    return verdict;
  }

  void take(const Candidate&, const Verdict& verdict) {
    if (verdict.may_have_noise)
      unread.push_back(verdict);
    else
      settle(verdict);
  }

  void settle(const Verdict& verdict) {
    if (verdict.pair.standing == PairStanding::aside)
      verdicts.aside.push_back(verdict.pair);
    else if (verdict.closeness >= 1)
      verdicts.accepted.push_back(verdict.pair);
    else
      refused.add(verdict.pair, verdict.closeness);
  }

  // Reads the texts of the pairs that may have noise and compares their letters. These pairs are few, so
  // reading their texts again is cheap.
  Result<void> read_letters() {
    struct Space {
      std::unique_ptr<ReadScratch> read;
      PodVector<Unit> a, b;
    };
    std::vector<double> likeness(unread.size());
    const Settings& settings = verifier.settings_;
    LEITONG_TRY(parallel_for_each(
        verifier.run_.stop, unread.size(),
        [&] {
          return Space{verifier.source_.new_scratch(), {}, {}};
        },
        [&](std::size_t i, Space& space) -> Result<void> {
          const VerifiedPair& pair = unread[i].pair;
          LEITONG_TRY(read_units(pair.a, verifier.source_, settings.units, *space.read, space.a));
          LEITONG_TRY(read_units(pair.b, verifier.source_, settings.units, *space.read, space.b));
          likeness[i] = letters_alike(space.a, space.b);
          return {};
        }));
    for (std::size_t i = 0; i < unread.size(); ++i) {
      Verdict& verdict = unread[i];
      if (likeness[i] > 0) set_noisy(verdict.pair, likeness[i]);
      settle(verdict);
    }
    unread.clear();
    return {};
  }
};

Result<void> Verifier::judge(std::span<const Candidate> candidates, const Accept& accept,
                             const Accept& set_aside) {
  if (candidates.empty()) return {};
  Verdicts verdicts;
  Comparison comparison{*this, verdicts,
                        std::ranges::any_of(candidates, [&](const auto& c) { return looks_at_passage(c); })};
  TextBands<Comparison> bands(comparison, {candidates.begin(), candidates.end()}, run_);
  while (!bands.done()) {
    const std::span<const Candidate> band = bands.next_band();
    verdicts = {};
    if (settings_.log == nullptr || !settings_.log->find(band, verdicts)) {
      verdicts = {};
      LEITONG_TRY(bands.compare([&](std::size_t pairs) {
        run_.report(stage_, decided_ + pairs, std::max(expected_, decided_ + pairs), "pairs");
      }));
      LEITONG_TRY(comparison.read_letters());
      verdicts.refused = comparison.refused.take();
      if (settings_.log != nullptr) LEITONG_TRY(settings_.log->add(band, verdicts));
    }
    decided_ += band.size();
    run_.report(stage_, decided_, std::max(expected_, decided_), "pairs");
    for (const VerifiedPair& pair : verdicts.accepted) {
      LEITONG_TRY(accept(pair));
      if (pair.standing == PairStanding::same_work) works_->join(pair.a, pair.b);
    }
    for (const VerifiedPair& pair : verdicts.aside) LEITONG_TRY(set_aside(pair));
    for (const RefusedPair& refused : verdicts.refused) near_misses_.add(refused.pair, refused.closeness);
  }
  return {};
}

Result<void> Verifier::decide(std::span<const Candidate> candidates, const Accept& accept,
                              const Accept& set_aside) {
  if (templates_ == nullptr) return judge(candidates, accept, set_aside);
  while (!candidates.empty()) {
    const auto some =
        candidates.first(std::min(candidates.size(), pairs_at_once(run_.memory, settings_.units)));
    LEITONG_ASSIGN(const std::vector<VerifiedPair> pairs, judged(some));
    LEITONG_TRY(templates_->decide(pairs, accept, [&](const VerifiedPair& pair, double closeness) {
      near_misses_.add(pair, closeness);
    }));
    candidates = candidates.subspan(some.size());
  }
  return {};
}

Result<std::vector<VerifiedPair>> Verifier::judged(std::span<const Candidate> candidates) {
  std::vector<VerifiedPair> pairs;
  const Accept collect = [&](const VerifiedPair& pair) -> Result<void> {
    pairs.push_back(pair);
    return {};
  };
  LEITONG_TRY(judge(candidates, collect, collect));
  std::sort(pairs.begin(), pairs.end(), goes_before);
  return pairs;
}

Result<std::vector<VerifiedPair>> Verifier::compare_uncounted(std::span<const Candidate> candidates) {
  const std::uint64_t before = std::exchange(decided_, 0),
                      expected = std::exchange(expected_, candidates.size());
  const std::string_view stage = std::exchange(stage_, "measuring recall");
  LEITONG_ASSIGN(std::vector<VerifiedPair> pairs, judged(candidates));
  decided_ = before;
  expected_ = expected;
  stage_ = stage;
  return pairs;
}

Verifier::Verdict Verifier::compare(const Candidate& candidate, const Features& a, const Features& b) const {
  const Rule& rule = settings_.rule;
  const std::size_t na = a.shingles.size(), nb = b.shingles.size();
  const Verdict hopeless{{candidate.a, candidate.b}, 0};
  if (rule.measure == Measure::edit) {
    const double similarity = edit_similarity(a.units, b.units, rule.threshold);
    if (similarity < rule.threshold) return hopeless;
    VerifiedPair pair = measured(candidate, intersection_size(a.shingles, b.shingles), na, nb);
    pair.measure = Measure::edit;
    pair.score = static_cast<float>(similarity);
    return {pair, 1};
  }
  if (!rule.reachable(na, nb)) return hopeless;
  const std::size_t shared = intersection_size(a.shingles, b.shingles);
  if (const auto accepted = rule.decide(candidate, shared, na, nb)) return {*accepted, 1, shared};
  if (const std::size_t units = common_passage(candidate, a, b); units > 0) {
    VerifiedPair pair = measured(candidate, shared, na, nb);
    set_passage(pair, units, std::min(na, nb));
    return {pair, 1, shared};
  }
  const auto needed = rule.shared_needed(na, nb, candidate.template_only);
  if (!needed) return {hopeless.pair, 0, shared};
  return {measured(candidate, shared, na, nb), static_cast<double>(shared) / static_cast<double>(*needed),
          shared};
}

// Where templates are looked for: decides by the rule alone, even if common keys led to the pair, and decides
// whether the two are one work.
Verifier::Verdict Verifier::compare_works(const Candidate& c, const Features& a, const Features& b,
                                          Lookups& lookups) const {
  const Rule& rule = settings_.rule;
  const std::size_t na = a.shingles.size(), nb = b.shingles.size();
  const Verdict hopeless{{c.a, c.b}, 0};
  if (na == 0 || nb == 0) return hopeless;
  const std::size_t shared = intersection_size(a.shingles, b.shingles);
  if (auto accepted = rule.decide({c.a, c.b, c.score}, shared, na, nb)) {
    // A low threshold does not make two texts one work.
    const bool whole = looks_at_works(c) && (!rule.measure || Rule().decide({c.a, c.b}, shared, na, nb));
    // Which documents are already known to be one work depends on the bands. It makes no difference until
    // templates are known: one more pair of a work leaves all works as they are, and is decided a second time
    // in either case. But a pair that may be settled is not, and later ones count as doubtful unless they
    // are the same work themselves.
    const bool may_settle = c.frame > 0 && !is_framed(c.frame);
    const bool may_skip = !may_settle && templates_ == nullptr;
    if (whole && ((may_skip && works_->together(c.a, c.b)) || are_same_work(c, a, b, shared, lookups)))
      accepted->standing = PairStanding::same_work;
    else if (may_settle)
      accepted->standing = PairStanding::settled;
    return {*accepted, 1, shared};
  }
  Verdict refused{measured(c, shared, na, nb), 0, shared};
  if (rule.measure ? common_passage(c, a, b) > 0 : worth_deciding_again(shared, na, nb, c.frame)) {
    refused.pair.standing = PairStanding::aside;
  } else if (const auto needed = rule.shared_needed(na, nb, false)) {
    refused.closeness = static_cast<double>(shared) / static_cast<double>(*needed);
  }
  refused.may_have_noise = may_have_noise(c, a, b, shared, lookups);
  return refused;
}

bool Verifier::looks_at_works(const Candidate& candidate) const noexcept {
  if (!works_) return false;
  // A pair that the default rule accepts has a containment of at least a half. An estimate of 0 means that
  // there is none.
  constexpr float kMayBeOneWork = .35F;
  return !settings_.rule.measure || candidate.score == 0 || candidate.score >= kMayBeOneWork;
}

bool Verifier::looks_at_passage(const Candidate& candidate) const noexcept {
  return candidate.passage && settings_.rule.passage_units > 0;
}

std::size_t Verifier::common_passage(const Candidate& candidate, const Features& a, const Features& b) const {
  if (!looks_at_passage(candidate)) return 0;
  return PassageAnchors::longest_common(a.anchors, b.anchors);
}

bool Verifier::may_have_noise(const Candidate& pair, const Features& a, const Features& b, std::size_t shared,
                              Lookups& lookups) const {
  return a.may_have_letters && b.may_have_letters &&
         leitong::may_have_noise(table_.units[pair.a], table_.units[pair.b], shared, a.shingles.size(),
                                 b.shingles.size()) &&
         is_shared(a.ordered, lookups.of(b), NoiseRule::kEven) &&
         is_shared(b.ordered, lookups.of(a), NoiseRule::kEven);
}

bool Verifier::are_same_work(const Candidate& pair, const Features& a, const Features& b, std::size_t shared,
                             Lookups& lookups) const {
  return leitong::are_same_work(
      a.ordered, b.ordered, shared, [&]() -> const HashLookup& { return lookups.of(a); },
      [&]() -> const HashLookup& { return lookups.of(b); },
      [&](const OwnRuns& own_a, const OwnRuns& own_b) {
        if (settings_.sites == nullptr) return is_reprint(own_a, own_b);
        const Sites& sites = *settings_.sites;
        return sites[pair.a] != sites[pair.b] && is_reprint_of_sites(own_a, own_b);
      });
}

}  // namespace leitong
