#include "dedup/audited_pairs.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/try.hpp"
#include "dedup/unseen.hpp"

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

}  // namespace

AuditedPairs::AuditedPairs(RecallSample& sample, const PairFinder& finder)
    : sample_(sample), candidates_(sample.take_candidates()) {
  for (Candidate& candidate : candidates_)
    candidate.frame = std::max(finder.frame(candidate.a), finder.frame(candidate.b));
}

Result<std::span<const VerifiedPair>> AuditedPairs::compare_unseen(Verifier& verifier,
                                                                   const PairResult& found) {
  LEITONG_ASSIGN(const std::vector<Candidate> unseen,
                 not_in(candidates_, {found.pairs.get(), found.aside.get()}));
  LEITONG_ASSIGN(compared_, verifier.compare_uncounted(unseen));
  return compared_;
}

Result<Audit> AuditedPairs::evaluate(Verifier& verifier, TemplateStage* templates, const GroupedTexts* groups,
                                     const PairResult& found) {
  Audit audit;
  audit.sampled_documents = sample_.sampled();
  audit.all_documents = sample_.holds_all();
  const std::vector<PlacedPair> pairs_of_sample = placed(candidates_, groups);
  std::vector<Candidate> documents;
  for (const PlacedPair& pair : pairs_of_sample) documents.push_back(pair.documents);
  std::sort(documents.begin(), documents.end(), by_documents);
  LEITONG_ASSIGN(const std::vector<Candidate> missing, not_in(documents, {found.pairs.get()}));
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
