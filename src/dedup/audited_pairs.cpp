#include "dedup/audited_pairs.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "cluster/kinship.hpp"
#include "dedup/unseen.hpp"
#include "similarity/intersect.hpp"
#include "similarity/own_text.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {
namespace {

// A pair of the sample, and the pair of documents that stands for it.
struct PlacedPair {
  Candidate texts, documents;
};

// Leaves out the pairs whose documents may not be compared.
std::vector<PlacedPair> placed(const std::vector<Candidate>& candidates, const GroupedTexts* groups) {
  std::vector<PlacedPair> result;
  result.reserve(candidates.size());
  for (const Candidate& pair : candidates) {
    const std::optional<Candidate> documents = groups == nullptr ? pair : groups->stands_for(pair.a, pair.b);
    if (documents) result.push_back({pair, *documents});
  }
  return result;
}

// What a sampled document and the documents beside it have in common, if many works have it.
class Frame {
 public:
  Frame(const ShingledTexts& texts, const Kinship& works, const LeastRun& least_run)
      : texts_(texts), works_(works), least_run_(least_run), reader_(texts.new_reader()) {}

  /// Marks those of the pairs of one document, which is the first of each, that share too little beside the
  /// frame for the second decision to accept them.
  Result<void> refuse(std::span<const VerifiedPair> pairs, std::span<std::uint8_t> refused) {
    LEITONG_ASSIGN(const ShingledText text, texts_.text(pairs[0].a, reader_));
    set_.clear();
    set_.append(text.set);
    ordered_.clear();
    ordered_.append(text.ordered);
    LEITONG_ASSIGN(const bool any, find(pairs));
    if (!any) return {};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      // Of a pair that differs only by noise, and of one that the rule accepts, another part counts.
      if (pairs[i].standing != PairStanding::aside || pairs[i].measure == Measure::edit) continue;
      LEITONG_ASSIGN(const ShingledText other, texts_.text(pairs[i].b, reader_));
      const std::size_t own = intersection_size(set_, other.set) - intersection_size(frame_, other.set);
      refused[i] = own < kLeastOwn;
    }
    return {};
  }

 private:
  // Fewer shingles make no pair: own texts have at least kOwnMin each, of which a pair shares a quarter of
  // both, and rare passages are kRarePart of at least kRareMin.
  static constexpr std::size_t kLeastOwn = 5;
  static_assert(kLeastOwn < TemplateRule::kOwnMin / 2 &&
                kLeastOwn < TemplateRule::kRarePart * TemplateRule::kRareMin);
  // So many works are examined to find the frame.
  static constexpr std::size_t kMostWorks = 64;

  // Finds the frame, and returns whether there is one.
  Result<bool> find(std::span<const VerifiedPair> pairs) {
    std::vector<std::pair<DocId, DocId>> documents;  // the work, and one document of it
    for (const VerifiedPair& pair : pairs)
      if (!works_.together(pair.a, pair.b)) documents.emplace_back(works_.family(pair.b), pair.b);
    std::ranges::sort(documents);
    const auto same_work = [](const auto& x, const auto& y) { return x.first == y.first; };
    documents.erase(std::unique(documents.begin(), documents.end(), same_work), documents.end());
    if (documents.size() + 1 < TemplateRule::kFamilies) return false;
    documents.resize(std::min(documents.size(), kMostWorks));
    std::vector<std::uint32_t> works(set_.size(), 1);  // that hold each shingle; the sampled one does
    for (const auto& [work, document] : documents) {
      LEITONG_ASSIGN(const ShingledText other, texts_.text(document, reader_));
      for (std::size_t i = 0, j = 0; i < set_.size() && j < other.set.size();) {
        const std::uint32_t here = set_[i], there = other.set[j];
        works[i] += here == there;
        i += here <= there;
        j += there <= here;
      }
    }
    frame_.clear();
    for (std::size_t i = 0; i < set_.size(); ++i)
      if (works[i] >= TemplateRule::kFamilies) frame_.push_back(set_[i]);
    keep_runs(ordered_, least_run_, frame_);
    return !frame_.empty();
  }

  const ShingledTexts& texts_;
  const Kinship& works_;
  LeastRun least_run_;
  ShingledTexts::Reader reader_;
  PodVector<std::uint32_t> set_, ordered_, frame_;
};

// A run takes 20 to 60 ns for a unit that it reads, and the comparison of two texts, with the count of their
// templates, some 60 ns for one of theirs. So many units of the input are worth a compared one.
constexpr std::uint64_t kUnitsACompared = 32, kFreeUnits = 100'000;
// A smaller sample says nothing.
constexpr std::uint64_t kLeastDocuments = 100;

// The units of both texts of each pair.
std::uint64_t units_of(const std::vector<Candidate>& pairs, const DocumentTable& table) {
  std::uint64_t units = 0;
  for (const Candidate& pair : pairs) units += std::uint64_t{table.units[pair.a]} + table.units[pair.b];
  return units;
}

}  // namespace

Result<AuditedPairs> AuditedPairs::take(RecallSample& sample, const PairFinder& finder,
                                        const PairResult& found) {
  AuditedPairs audited(sample);
  audited.candidates_ = sample.take_candidates();
  for (Candidate& candidate : audited.candidates_)
    candidate.frame = std::max(finder.frame(candidate.a), finder.frame(candidate.b));
  LEITONG_ASSIGN(audited.unseen_, not_in(*found.pairs, audited.candidates_));
  if (found.aside) {
    LEITONG_ASSIGN(audited.unseen_, not_in(*found.aside, audited.unseen_));
  }
  const std::span<const std::uint32_t> units = found.table.units;
  const std::uint64_t bound =
      kFreeUnits + std::accumulate(units.begin(), units.end(), std::uint64_t{0}) / kUnitsACompared;
  while (sample.asked() == 0 && sample.sampled() > kLeastDocuments &&
         units_of(audited.unseen_, found.table) > bound) {
    sample.halve();
    const auto left_out = [&](const Candidate& pair) { return !sample.holds(pair.a); };
    std::erase_if(audited.candidates_, left_out);
    std::erase_if(audited.unseen_, left_out);
  }
  return audited;
}

Result<std::span<const VerifiedPair>> AuditedPairs::compare_unseen(Verifier& verifier, const Rule& rule,
                                                                   const ShingledTexts& texts,
                                                                   const PairResult& found) {
  LEITONG_ASSIGN(compared_, verifier.compare_uncounted(unseen_));
  const Kinship* const works = verifier.works();
  if (works == nullptr || rule.measure) return compared_;  // a measure may accept less
  std::vector<std::span<const VerifiedPair>> groups;       // the pairs of each sampled document
  for (std::size_t i = 0, end; i < compared_.size(); i = end) {
    for (end = i; end < compared_.size() && compared_[end].a == compared_[i].a;) ++end;
    if (end - i >= TemplateRule::kFamilies) groups.push_back(std::span(compared_).subspan(i, end - i));
  }
  std::vector<std::uint8_t> refused(compared_.size());
  const LeastRun least_run = least_template_run(found.table.units.size());
  LEITONG_TRY(parallel_for_each(
      found.pairs->run().stop, groups.size(), [&] { return Frame(texts, *works, least_run); },
      [&](std::size_t group, Frame& frame) {
        const auto begin = static_cast<std::size_t>(groups[group].data() - compared_.data());
        return frame.refuse(groups[group], std::span(refused).subspan(begin, groups[group].size()));
      }));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < compared_.size(); ++i)
    if (refused[i] == 0) compared_[kept++] = compared_[i];
  compared_.resize(kept);
  return compared_;
}

Result<Audit> AuditedPairs::evaluate(Verifier& verifier, TemplateStage* templates, const GroupedTexts* groups,
                                     const PairResult& found) {
  Audit audit;
  audit.sampled_documents = sample_->sampled();
  audit.all_documents = sample_->holds_all();
  const std::vector<PlacedPair> pairs_of_sample = placed(candidates_, groups);
  std::vector<Candidate> documents;
  for (const PlacedPair& pair : pairs_of_sample) documents.push_back(pair.documents);
  std::sort(documents.begin(), documents.end(), by_documents);
  LEITONG_ASSIGN(const std::vector<Candidate> missing, not_in(*found.pairs, documents));
  std::vector<Candidate> unseen;     // as pairs of texts
  std::map<DocId, double> pairs_of;  // for each sampled document, the earlier one of its pairs
  for (const PlacedPair& pair : pairs_of_sample) {
    if (std::ranges::binary_search(missing, pair.documents, by_documents)) {
      unseen.push_back(pair.texts);
      continue;
    }
    ++audit.direct;
    ++pairs_of[pair.texts.a];
  }
  const Settlement& settlement = found.settlement;
  const auto stays = [&](DocId d) { return settlement.pair[d] == Settlement::kNoPair; };  // or a copy of it
  std::uint64_t missed = 0;
  const auto miss = [&](const VerifiedPair& p) -> Result<void> {
    ++missed;
    ++pairs_of[p.a];
    const Candidate pair = groups == nullptr ? Candidate{p.a, p.b} : *groups->stands_for(p.a, p.b);
    audit.linked += settlement.component[pair.a] == settlement.component[pair.b];
    audit.both_stay += stays(pair.a) && stays(pair.b);
    return {};
  };
  if (templates != nullptr) {
    std::erase_if(compared_, [&](const VerifiedPair& p) {
      return !std::ranges::binary_search(unseen, Candidate{p.a, p.b}, by_documents);
    });
    LEITONG_TRY(templates->decide_also(compared_, miss, [](const VerifiedPair&, double) {}));
  } else {
    for (Candidate& c : unseen) {
      // The pair is held to the same rule as in the run. What two documents share lies in the shorter one:
      // if that consists of common keys, nothing else could have led to this pair.
      c.template_only = found.common[found.table.units[c.a] <= found.table.units[c.b] ? c.a : c.b];
    }
    LEITONG_TRY(verifier.decide(unseen, miss, miss));
  }
  audit.pairs = audit.direct + missed;
  audit.linked += audit.direct;
  double squares = 0;
  for (const auto& [document, count] : pairs_of) squares += count * count;
  const auto pairs = static_cast<double>(audit.pairs);
  audit.independent_pairs = squares > 0 ? pairs * pairs / squares : 0;
  return audit;
}

}  // namespace leitong
