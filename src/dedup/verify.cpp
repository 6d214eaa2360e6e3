#include "dedup/verify.hpp"

#include <algorithm>
#include <tuple>

#include "base/parallel.hpp"
#include "feature/ngrams.hpp"
#include "feature/shingles.hpp"
#include "similarity/edit.hpp"
#include "similarity/intersect.hpp"

namespace leitong {
namespace {

// Enough pairs to keep all threads busy, few enough to ask for a stop often.
constexpr std::size_t kBlockPairs = 1 << 14;
constexpr std::uint64_t kLeastFeatureBytes = 4ull << 20;

}  // namespace

struct Verifier::Workspace {
  std::unique_ptr<ReadScratch> read;
  PodVector<Unit> units;
  PodVector<std::uint32_t> set, scratch;
};

Verifier::Workspace Verifier::new_workspace() const { return {source_.new_scratch(), {}, {}, {}}; }

Verifier::Verifier(const DocumentSource& source, const DocumentTable& table, PairStore& pairs,
                   Settings settings, RunContext& run)
    : source_(source),
      table_(table),
      pairs_(pairs),
      settings_(settings),
      run_(run),
      matched_(table.units.size()) {}

void Verifier::restore(std::uint64_t decided, std::span<const RefusedPair> near_misses) {
  decided_ = decided;
  for (const RefusedPair& miss : near_misses) near_misses_.add(miss.pair, miss.closeness);
}

Result<void> Verifier::offer(std::span<const Candidate> candidates) {
  const std::scoped_lock lock(mutex_);
  waiting_.insert(waiting_.end(), candidates.begin(), candidates.end());
  return {};
}

bool Verifier::full() const { return waiting_.size() * sizeof(Candidate) > run_.memory.for_buffers() / 8; }

Result<void> Verifier::consider(DocId a, DocId b, bool template_only) {
  const Candidate candidate{std::min(a, b), std::max(a, b), 0, template_only};
  LEITONG_TRY(offer({&candidate, 1}));
  return full() ? flush() : Result<void>{};
}

Result<void> Verifier::flush() {
  auto order = [](const Candidate& c) { return std::tuple(c.a, c.b, c.template_only, -c.score); };
  std::sort(waiting_.begin(), waiting_.end(),
            [&](const auto& x, const auto& y) { return order(x) < order(y); });
  // Of one pair's candidates the first has the best evidence.
  auto same = [](const Candidate& x, const Candidate& y) { return x.a == y.a && x.b == y.b; };
  waiting_.erase(std::unique(waiting_.begin(), waiting_.end(), same), waiting_.end());
  const auto accept = [&](const VerifiedPair& pair) {
    matched_[pair.a] = matched_[pair.b] = true;
    return pairs_.add(pair);
  };
  if (settings_.verify) {
    LEITONG_TRY(decide(waiting_, accept));
  } else {
    for (const Candidate& c : waiting_) LEITONG_TRY(accept({c.a, c.b, 0, 0, c.score, Measure::estimate}));
    decided_ += waiting_.size();
  }
  waiting_.clear();
  return {};
}

// Documents, ascending, and their features.
struct Verifier::Shelf {
  std::vector<DocId> documents;
  std::vector<bool> ordered;  // are Features::ordered wanted of it?
  std::vector<Features> features;

  void add_last(DocId document, bool wants_order) {
    if (documents.empty() || documents.back() != document) {
      documents.push_back(document);
      ordered.push_back(false);
    }
    if (wants_order) ordered.back() = true;
  }
  static constexpr std::size_t kNowhere = SIZE_MAX;
  [[nodiscard]] std::size_t find(DocId document) const {
    const auto at = std::lower_bound(documents.begin(), documents.end(), document);
    return at != documents.end() && *at == document ? static_cast<std::size_t>(at - documents.begin())
                                                    : kNowhere;
  }
};

// A candidate of a band, to be decided when its second document comes by.
struct Verifier::Due {
  DocId partner;
  std::uint32_t first;      // place of the first document on its shelf
  std::uint32_t candidate;  // in the band
};

std::uint64_t Verifier::feature_bytes(DocId document, bool ordered) const noexcept {
  const unsigned arrays = 1 + 2 * ordered + (settings_.rule.measure == Measure::edit);
  return sizeof(Features) + std::uint64_t{sizeof(std::uint32_t)} * arrays * table_.units[document];
}

Result<void> Verifier::decide(std::span<const Candidate> candidates, const Accept& accept) {
  const std::uint64_t room = std::max(run_.memory.for_buffers() / 4, kLeastFeatureBytes) / 2;
  const bool ordered = std::ranges::any_of(candidates, &Candidate::template_only);
  while (!candidates.empty()) {
    std::uint64_t bytes = 0;
    std::size_t size = 0;
    for (; size < candidates.size() && size < UINT32_MAX; ++size) {
      const bool same = size > 0 && candidates[size].a == candidates[size - 1].a;
      if (size > 0 && !same && bytes >= room) break;
      bytes += sizeof(Due) + (same ? 0 : feature_bytes(candidates[size].a, ordered));
    }
    const std::span<const Candidate> band = candidates.first(size);
    Verdicts verdicts;
    if (settings_.log == nullptr || !settings_.log->find(band, verdicts)) {
      verdicts = {};
      LEITONG_TRY(decide_band(band, ordered, room, verdicts));
      if (settings_.log != nullptr) LEITONG_TRY(settings_.log->add(band, verdicts));
    }
    decided_ += band.size();
    run_.report("verifying", decided_, 0, "pairs");
    for (const VerifiedPair& pair : verdicts.accepted) LEITONG_TRY(accept(pair));
    for (const RefusedPair& refused : verdicts.refused) near_misses_.add(refused.pair, refused.closeness);
    candidates = candidates.subspan(size);
  }
  return {};
}

Result<void> Verifier::decide_band(std::span<const Candidate> band, bool ordered, std::uint64_t room,
                                   Verdicts& verdicts) {
  NearMisses refused;
  Shelf firsts;
  std::vector<Due> due(band.size());
  for (std::uint32_t c = 0; c < band.size(); ++c) {
    firsts.add_last(band[c].a, band[c].template_only);
    due[c] = {band[c].b, static_cast<std::uint32_t>(firsts.documents.size() - 1), c};
  }
  for (const Candidate& c : band) {
    if (!c.template_only) continue;
    if (const std::size_t at = firsts.find(c.b); at != Shelf::kNowhere) firsts.ordered[at] = true;
  }
  LEITONG_TRY(build(firsts));
  std::sort(due.begin(), due.end(), [](const Due& x, const Due& y) {
    return std::tuple(x.partner, x.first) < std::tuple(y.partner, y.first);
  });
  for (std::span<const Due> left = due; !left.empty();) {
    LEITONG_TRY(run_.stop.check());
    std::uint64_t bytes = 0;
    std::size_t size = 0;
    for (; size < std::min(left.size(), kBlockPairs) && (size == 0 || bytes < room); ++size)
      if (size == 0 || left[size].partner != left[size - 1].partner)
        bytes += feature_bytes(left[size].partner, ordered);
    LEITONG_TRY(decide_block(band, left.first(size), firsts, verdicts.accepted, refused));
    left = left.subspan(size);
    run_.report("verifying", decided_ + band.size() - left.size(), 0, "pairs");
  }
  verdicts.refused = refused.take();
  return {};
}

Result<void> Verifier::decide_block(std::span<const Candidate> band, std::span<const Due> block,
                                    const Shelf& firsts, std::vector<VerifiedPair>& accepted,
                                    NearMisses& refused) {
  // Each partner is one of the firsts, or passes by.
  struct Place {
    const Shelf* shelf;
    std::size_t at;
  };
  std::vector<Place> partners(block.size());
  Shelf passing;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const DocId partner = block[i].partner;
    const bool same = i > 0 && partner == block[i - 1].partner;
    partners[i] = same ? partners[i - 1] : Place{&firsts, firsts.find(partner)};
    if (partners[i].shelf == &firsts && partners[i].at != Shelf::kNowhere) continue;
    passing.add_last(partner, band[block[i].candidate].template_only);
    partners[i] = {&passing, passing.documents.size() - 1};
  }
  LEITONG_TRY(build(passing));
  std::vector<Verdict> verdicts(block.size());
  LEITONG_TRY(parallel_for_each(
      run_.stop, block.size(), [] { return 0; },
      [&](std::size_t i, int) -> Result<void> {
        const Candidate& c = band[block[i].candidate];
        const Features& a = firsts.features[block[i].first];
        const Features& b = partners[i].shelf->features[partners[i].at];
        verdicts[i] = compare(c, a, b);
        if (verdicts[i].closeness >= 1 || !c.template_only) return {};
        // Refused for its common keys alone? Then the pair may be edited copies of one much-copied text.
        const auto ordinary = settings_.rule.decide({c.a, c.b, c.score}, verdicts[i].shared,
                                                    a.shingles.size(), b.shingles.size());
        if (!ordinary || ordinary->measure != Measure::jaccard) return {};
        if (shared_throughout(a.ordered, b.lookup) && shared_throughout(b.ordered, a.lookup))
          verdicts[i] = {*ordinary, 1};
        return {};
      }));
  for (const Verdict& verdict : verdicts) {
    if (verdict.closeness >= 1)
      accepted.push_back(verdict.pair);
    else
      refused.add(verdict.pair, verdict.closeness);
  }
  return {};
}

Result<void> Verifier::build(Shelf& shelf) const {
  shelf.features = std::vector<Features>(shelf.documents.size());
  return parallel_for_each(
      run_.stop, shelf.documents.size(), [&] { return new_workspace(); },
      [&](std::size_t i, Workspace& space) -> Result<void> {
        LEITONG_ASSIGN(const DocumentText text, source_.read(shelf.documents[i], *space.read));
        to_units(text.text, space.units);
        if (settings_.rule.shingle_units == kShingleUnits)
          shingle_set(space.units, space.set, space.scratch);
        else
          ngram_set(space.units, settings_.rule.shingle_units, space.set);
        shelf.features[i].shingles.append(space.set);
        if (shelf.ordered[i]) {
          shingle_hashes(space.units, shelf.features[i].ordered);
          shelf.features[i].lookup = HashLookup(shelf.features[i].shingles);
        }
        if (settings_.rule.measure == Measure::edit) shelf.features[i].units.append(space.units);
        return {};
      });
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
  const auto needed = rule.shared_needed(na, nb, candidate.template_only);
  if (!needed) return {hopeless.pair, 0, shared};
  return {measured(candidate, shared, na, nb), static_cast<double>(shared) / static_cast<double>(*needed),
          shared};
}

Result<std::uint64_t> Verifier::confirm(std::vector<Copy>& copies) const {
  std::sort(copies.begin(), copies.end(), [](const Copy& x, const Copy& y) {
    return std::tuple(x.original, x.copy) < std::tuple(y.original, y.copy);
  });
  std::vector<std::uint8_t> equal(copies.size());
  struct Space {
    std::unique_ptr<ReadScratch> read;
    DocId original = kNoDocument;
    std::string original_text;
    PodVector<Unit> original_units, units;
  };
  LEITONG_TRY(parallel_for_each(
      run_.stop, copies.size(),
      [&] {
        return Space{source_.new_scratch(), kNoDocument, {}, {}, {}};
      },
      [&](std::size_t i, Space& space) -> Result<void> {
        if (space.original != copies[i].original) {
          LEITONG_ASSIGN(const DocumentText original, source_.read(copies[i].original, *space.read));
          to_units(original.text, space.original_units);
          space.original_text = space.original_units.empty() ? original.text : "";
          space.original = copies[i].original;
        }
        LEITONG_ASSIGN(const DocumentText text, source_.read(copies[i].copy, *space.read));
        to_units(text.text, space.units);
        // Texts of which folding leaves nothing are copies only if their bytes are the same.
        equal[i] = space.units.empty() ? text.text == space.original_text && space.original_units.empty()
                                       : std::equal(space.units.begin(), space.units.end(),
                                                    space.original_units.begin(), space.original_units.end());
        return {};
      }));
  const std::size_t before = copies.size();
  std::size_t i = 0;
  std::erase_if(copies, [&](const Copy&) { return !equal[i++]; });
  return before - copies.size();
}

}  // namespace leitong
