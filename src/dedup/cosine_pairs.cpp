#include "dedup/cosine_pairs.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "dedup/unseen.hpp"
#include "dedup/verify.hpp"
#include "evaluate/interval.hpp"
#include "index/cosine/approximate_join.hpp"
#include "index/cosine/join.hpp"

namespace leitong {
namespace {

/// Maps rows of vectors to documents and back.
class RowsOfDocuments {
 public:
  explicit RowsOfDocuments(const std::vector<DocId>& gaps) {
    for (std::size_t i = 0; i < gaps.size(); ++i) gaps_.push_back(gaps[i] + i);
  }
  /// Returns kNoDocument for a row that belongs to no document.
  [[nodiscard]] DocId document(std::uint64_t row) const {
    const auto gap = std::ranges::lower_bound(gaps_, row);
    if (gap != gaps_.end() && *gap == row) return kNoDocument;
    return static_cast<DocId>(row - static_cast<std::uint64_t>(gap - gaps_.begin()));
  }
  [[nodiscard]] std::uint64_t row(DocId document) const {
    std::uint64_t row = document;
    for (auto gap = gaps_.begin(); gap != gaps_.end() && *gap <= row; ++gap) ++row;
    return row;
  }

 private:
  std::vector<std::uint64_t> gaps_;  // rows without a document
};

/// Compares the texts of pairs that only the cosine accepts. The text that both have in common belongs to
/// every row of the result.
class TextsOfPairs {
 public:
  TextsOfPairs(const DocumentSource& source, bool verify, RunContext& run, PairResult& found)
      : verify_(verify),
        found_(found),
        none_(found.table.units.size(), run),
        verifier_(source, found.table, none_, {.rule = accepts_all()}, run) {}

  /// REQUIRES `pairs` to be sorted.
  Result<void> add(std::vector<VerifiedPair>& pairs) {
    std::vector<Candidate> candidates;
    for (const VerifiedPair& pair : pairs) candidates.push_back({pair.a, pair.b});
    LEITONG_ASSIGN(const std::vector<Candidate> unseen, not_in(*found_.pairs, candidates));
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
  /// A rule that accepts every pair, so that every pair gets its values.
  static Rule accepts_all() { return rule_of_measure(Measure::jaccard, 0); }
  /// A pair in which one of the texts has no shingle keeps the value 0.
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
  PairResult& found_;
  PairStore none_;
  Verifier verifier_;
};

/// Estimates the recall of an approximate search from a sample.
class RecallOfVectors {
 public:
  /// `pairs` are the numbers of pairs of the sampled documents, in the order of `documents`, which ascend.
  RecallOfVectors(std::vector<DocId> documents, std::vector<std::uint64_t> pairs)
      : documents_(std::move(documents)), pairs_(std::move(pairs)) {}

  /// Counts a pair that the search found.
  void count(const VerifiedPair& pair) {
    found_ +=
        std::ranges::binary_search(documents_, pair.a) || std::ranges::binary_search(documents_, pair.b);
  }
  [[nodiscard]] VectorRecall recall() const {
    double pairs = 0, squares = 0;
    for (const std::uint64_t of_document : pairs_) {
      const auto count = static_cast<double>(of_document);
      pairs += count;
      squares += count * count;
    }
    VectorRecall recall{
        .sampled = documents_.size(), .pairs = static_cast<std::uint64_t>(pairs), .found = found_};
    if (recall.pairs == 0) return recall;
    const double independent = pairs * pairs / squares;  // as in Audit
    const Interval interval = wilson_interval(recall.direct() * independent, independent);
    recall.low = interval.low;
    recall.high = interval.high;
    return recall;
  }

 private:
  std::vector<DocId> documents_;
  std::vector<std::uint64_t> pairs_;
  std::uint64_t found_ = 0;
};

}  // namespace

struct CosinePairs::Impl {
  const DocumentSource& source;
  const DocumentVectors& vectors;
  const FindOptions& options;
  RunContext& run;
  PairResult& found;
  RowsOfDocuments documents;
  VectorNorms norms = {};
  std::vector<Candidate> waiting = {};

  Result<void> measure() {
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
    LEITONG_ASSIGN(norms, measure_norms(*vectors.rows, takes_part, unusable, run));
    counts.compared = static_cast<std::uint64_t>(
        std::ranges::count_if(norms.squares, [](double squares) { return squares > 0; }));
    return {};
  }

  Result<void> join(PairStore& near) {
    const auto add = [&](const CosinePair& pair) {
      return near.add(to_pair(documents.document(pair.a), documents.document(pair.b), pair.cosine));
    };
    if (options.vector_search == VectorSearch::exact) {
      LEITONG_TRY(join_by_cosine(*vectors.rows, norms, options.cosine, run, add));
      return near.sort();
    }
    LEITONG_ASSIGN(const ApproximateJoin joined,
                   join_approximately(*vectors.rows, norms, options.cosine, run, add));
    LEITONG_TRY(near.sort());
    found.vectors.limited = joined.limited;
    return options.audit && !joined.sample.empty() ? measure_recall(joined.sample, near) : Result<void>();
  }

  Result<void> measure_recall(const std::vector<std::uint32_t>& sample, const PairStore& near) {
    LEITONG_ASSIGN(std::vector<std::uint64_t> pairs,
                   count_pairs_of(sample, *vectors.rows, norms, options.cosine, run));
    std::vector<DocId> sampled;
    for (const std::uint32_t row : sample) sampled.push_back(documents.document(row));
    RecallOfVectors recall(std::move(sampled), std::move(pairs));
    LEITONG_TRY(near.for_each([&](const VerifiedPair& pair) { recall.count(pair); }));
    found.vectors.recall = recall.recall();
    return {};
  }

  static VerifiedPair to_pair(DocId a, DocId b, double cosine) {
    return {.a = a, .b = b, .score = static_cast<float>(cosine), .measure = Measure::cosine};
  }
};

CosinePairs::CosinePairs(const DocumentSource& source, const DocumentVectors& vectors,
                         const FindOptions& options, RunContext& run, PairResult& found)
    : impl_(new Impl{source, vectors, options, run, found, RowsOfDocuments(vectors.gaps)}) {}
CosinePairs::~CosinePairs() = default;

Result<void> CosinePairs::find() {
  constexpr std::size_t kBatch = std::size_t{1} << 18;
  Impl& in = *impl_;
  LEITONG_TRY(in.measure());
  PairStore near(in.found.table.units.size(), in.run);
  LEITONG_TRY(in.join(near));
  TextsOfPairs texts(in.source, in.options.verify, in.run, in.found);
  std::vector<VerifiedPair> batch;
  const auto take = [&](const VerifiedPair& pair) -> Result<void> {
    batch.push_back(pair);
    return batch.size() < kBatch ? Result<void>() : texts.add(batch);
  };
  LEITONG_TRY(near.for_each(take));
  return texts.add(batch);
}

bool CosinePairs::may_miss() const noexcept {
  return impl_->options.vector_search == VectorSearch::approximate;
}

void CosinePairs::consider(DocId a, DocId b) { impl_->waiting.push_back({std::min(a, b), std::max(a, b)}); }

Result<void> CosinePairs::flush() {
  Impl& in = *impl_;
  std::ranges::sort(in.waiting, by_documents);
  CosineOfRows cosine_of_rows(*in.vectors.rows, in.norms);
  std::vector<VerifiedPair> pairs;
  for (const Candidate& pair : in.waiting) {
    if (!pairs.empty() && pairs.back().a == pair.a && pairs.back().b == pair.b) continue;
    const std::uint64_t row_a = in.documents.row(pair.a), row_b = in.documents.row(pair.b);
    if (in.norms.squares[row_a] == 0 || in.norms.squares[row_b] == 0) continue;
    LEITONG_ASSIGN(const double cosine, cosine_of_rows.of(row_a, row_b));
    if (cosine >= in.options.cosine) pairs.push_back(Impl::to_pair(pair.a, pair.b, cosine));
  }
  in.waiting.clear();
  return TextsOfPairs(in.source, in.options.verify, in.run, in.found).add(pairs);
}

}  // namespace leitong
