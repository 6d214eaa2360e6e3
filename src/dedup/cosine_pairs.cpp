#include "dedup/cosine_pairs.hpp"

#include <algorithm>
#include <vector>

#include "base/try.hpp"
#include "dedup/unseen.hpp"
#include "dedup/verify.hpp"
#include "index/cosine/join.hpp"

namespace leitong {
namespace {

/// Which row is whose vector.
class RowsOfDocuments {
 public:
  explicit RowsOfDocuments(const std::vector<DocId>& gaps) {
    for (std::size_t i = 0; i < gaps.size(); ++i) gaps_.push_back(gaps[i] + i);
  }
  /// kNoDocument for a row of none.
  [[nodiscard]] DocId document(std::uint64_t row) const {
    const auto gap = std::ranges::lower_bound(gaps_, row);
    if (gap != gaps_.end() && *gap == row) return kNoDocument;
    return static_cast<DocId>(row - static_cast<std::uint64_t>(gap - gaps_.begin()));
  }

 private:
  std::vector<std::uint64_t> gaps_;  // rows without a document
};

/// Compares the texts of pairs that the cosine alone accepts: what of them is equal is a part of every row.
class TextsOfPairs {
 public:
  TextsOfPairs(const DocumentSource& source, bool verify, RunContext& run, Found& found)
      : verify_(verify),
        found_(found),
        none_(found.table.units.size(), run),
        verifier_(source, found.table, none_, {.rule = accepts_all()}, run) {}

  /// `pairs` are sorted.
  Result<void> add(std::vector<VerifiedPair>& pairs) {
    std::vector<Candidate> candidates;
    for (const VerifiedPair& pair : pairs) candidates.push_back({pair.a, pair.b});
    LEITONG_ASSIGN(const std::vector<Candidate> unseen, not_in(candidates, {found_.pairs.get()}));
    std::erase_if(pairs, [&](const VerifiedPair& pair) {
      return !std::ranges::binary_search(unseen, Candidate{pair.a, pair.b}, by_documents);
    });
    if (verify_) LEITONG_TRY(fill_in(unseen, pairs));
    for (const VerifiedPair& pair : pairs) LEITONG_TRY(found_.pairs->add(pair));
    found_.vectors.pairs += pairs.size();
    pairs.clear();
    return found_.pairs->sort();
  }

 private:
  /// With the values of every pair.
  static Rule accepts_all() {
    Rule rule;
    rule.measure = Measure::jaccard;
    rule.threshold = 0;
    return rule;
  }
  /// Pairs without a shingle in one of the texts stay at 0.
  Result<void> fill_in(const std::vector<Candidate>& candidates, std::vector<VerifiedPair>& pairs) {
    const auto take = [&](const VerifiedPair& measured) -> Result<void> {
      const auto pair =
          std::ranges::lower_bound(pairs, measured, [](const VerifiedPair& x, const VerifiedPair& y) {
            return by_documents(Candidate{x.a, x.b}, Candidate{y.a, y.b});
          });
      pair->jaccard = measured.jaccard;
      pair->containment = measured.containment;
      return {};
    };
    return verifier_.decide(candidates, take, [](const VerifiedPair&) { return Result<void>(); });
  }

  bool verify_;
  Found& found_;
  PairStore none_;
  Verifier verifier_;
};

}  // namespace

Result<void> find_by_cosine(const DocumentSource& source, const DocumentVectors& vectors, double least,
                            bool verify, RunContext& run, Found& found) {
  constexpr std::size_t kBatch = std::size_t{1} << 18;
  const RowsOfDocuments documents(vectors.gaps);
  const std::vector<bool> is_copy = copy_marks(found.table.units.size(), found.copies);

  VectorCounts& counts = found.vectors;
  const auto takes_part = [&](std::uint64_t row) {
    const DocId document = documents.document(row);
    return document != kNoDocument && !is_copy[document];
  };
  const auto unusable = [&](std::uint64_t row, std::string_view why) {
    if (++counts.unusable > 1) return;
    counts.first_unusable = documents.document(row);
    counts.why = vectors.first_fault.empty() ? why : vectors.first_fault;
  };
  LEITONG_ASSIGN(const VectorNorms norms, measure_norms(*vectors.rows, takes_part, unusable, run));
  counts.compared = static_cast<std::uint64_t>(
      std::ranges::count_if(norms.squares, [](double squares) { return squares > 0; }));

  PairStore near(found.table.units.size(), run);
  LEITONG_TRY(join_by_cosine(*vectors.rows, norms, least, run, [&](const CosinePair& pair) {
    return near.add({.a = documents.document(pair.a),
                     .b = documents.document(pair.b),
                     .score = static_cast<float>(pair.cosine),
                     .measure = Measure::cosine});
  }));
  LEITONG_TRY(near.sort());
  TextsOfPairs texts(source, verify, run, found);
  std::vector<VerifiedPair> batch;
  const auto take = [&](const VerifiedPair& pair) -> Result<void> {
    batch.push_back(pair);
    return batch.size() < kBatch ? Result<void>() : texts.add(batch);
  };
  LEITONG_TRY(near.for_each(take));
  return texts.add(batch);
}

}  // namespace leitong
