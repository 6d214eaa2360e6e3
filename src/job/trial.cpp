#include "job/trial.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/try.hpp"
#include "evaluate/error_pairs.hpp"
#include "evaluate/gold.hpp"
#include "io/run_context.hpp"
#include "job/eval_report.hpp"
#include "report/excerpt.hpp"
#include "similarity/passages.hpp"

namespace leitong {
namespace {

constexpr std::size_t kShownBytes = 90;

/// The findings of a method by the numbers of the truth, for documents that count.
struct Judged {
  GoldOfDocuments of;
  std::vector<Label> truth, result;  // for each number
  std::vector<DocumentPair> claimed;

  [[nodiscard]] bool counts(DocId d) const { return of.number[d] != kNotCounted; }
};

Result<Judged> judge(const Assessed& found, const TrialOptions& options, const Context& context) {
  Judged judged;
  LEITONG_ASSIGN(judged.of, read_gold_of(options.gold, found.ids, options.ids, RunContext(context).stop));
  judged.truth = labels_of(judged.of.gold.clusters, judged.of.numbers);
  judged.result.resize(judged.of.numbers);
  for (DocId d = 0; d < found.ids.size(); ++d) {
    if (!judged.counts(d)) continue;
    // Documents that were removed for a document that does not count are still one cluster.
    const DocId kept = found.kept[d];
    judged.result[judged.of.number[d]] =
        judged.counts(kept) ? judged.of.number[kept] : static_cast<Label>(judged.of.numbers + kept);
  }
  for (const VerifiedPair& pair : found.pairs)
    if (judged.counts(pair.a) && judged.counts(pair.b))
      judged.claimed.emplace_back(judged.of.number[pair.a], judged.of.number[pair.b]);
  return judged;
}

/// The longest passage that two documents share.
Result<std::string> passage_of(const Corpus& corpus, DocId a, DocId b) {
  const auto scratch = corpus.new_scratch();
  LEITONG_ASSIGN(const DocumentText first, corpus.read(a, *scratch));
  const std::string text_a(first.text);
  LEITONG_ASSIGN(const DocumentText second, corpus.read(b, *scratch));
  const SharedPassages shared = shared_passages(text_a, second.text, corpus.folding());
  const auto longest = std::max_element(shared.passages.begin(), shared.passages.end(),
                                        [](const Passage& x, const Passage& y) { return x.units < y.units; });
  if (longest == shared.passages.end()) return std::string();
  std::string shown(
      utf8_prefix(std::string_view(text_a).substr(longest->a.begin, longest->a.size()), kShownBytes));
  std::replace(shown.begin(), shown.end(), '\n', ' ');
  return shown;
}

TrialExample example(const Assessed& found, const Corpus& corpus, DocId a, DocId b,
                     std::optional<double> score) {
  // An example is listed even if its text has disappeared meanwhile.
  return {found.ids[a], found.ids[b], score, passage_of(corpus, a, b).value_or("")};
}

/// Errors by the numbers of documents; of several documents with one id, the first.
ErrorPairs errors_of(const Judged& judged, std::size_t most) {
  ErrorPairs errors = judged.of.gold.judged ? error_pairs(judged.of.gold.pairs, judged.claimed, most)
                                            : error_pairs(judged.truth, judged.claimed, most);
  std::vector<DocId> document_of(judged.of.numbers, kNoDocument);
  for (DocId d = 0; d < judged.of.number.size(); ++d)
    if (judged.counts(d) && document_of[judged.of.number[d]] == kNoDocument)
      document_of[judged.of.number[d]] = d;
  for (std::vector<DocumentPair>* pairs : {&errors.false_positives, &errors.false_negatives})
    for (DocumentPair& pair : *pairs) pair = std::minmax(document_of[pair.first], document_of[pair.second]);
  return errors;
}

/// Adds wrong claims by their scores, and an even choice of missed pairs.
void add_examples(const Assessed& found, const Judged& judged, const Corpus& corpus, std::size_t count,
                  Trial& trial) {
  const auto label = [&](DocId d) { return judged.truth[judged.of.number[d]]; };
  std::vector<const VerifiedPair*> wrong;
  for (const VerifiedPair& pair : found.pairs)
    if (judged.counts(pair.a) && judged.counts(pair.b) && label(pair.a) != label(pair.b))
      wrong.push_back(&pair);
  std::stable_sort(wrong.begin(), wrong.end(),
                   [](const auto* x, const auto* y) { return x->score > y->score; });
  wrong.resize(std::min(count, wrong.size()));
  for (const VerifiedPair* pair : wrong)
    trial.false_positive_examples.push_back(example(found, corpus, pair->a, pair->b, double{pair->score}));
  for (const auto& [a, b] : errors_of(judged, count).false_negatives)
    trial.false_negative_examples.push_back(example(found, corpus, a, b, std::nullopt));
}

}  // namespace

Result<Trial> try_method(const TrialOptions& options, const Context& context) {
  LEITONG_ASSIGN(const auto assessed, assess(options.assess, context));
  const auto& [found, corpus] = assessed;
  LEITONG_ASSIGN(const Judged judged, judge(found, options, context));
  Trial trial;
  trial.judged = judged.of.gold.judged;
  if (trial.judged) {
    const JudgedCounts counts = judged_metrics(judged.of.gold.pairs, judged.claimed);
    trial.errors = counts.claimed_different + counts.same - counts.claimed_same;
    trial.pairs = counts.pairs().score();
    trial.accuracy = counts.accuracy();
  } else {
    const PairCounts counts = pair_metrics(judged.truth, judged.claimed);
    trial.pairs = counts.score();
    trial.false_positives = counts.claimed - counts.both;
    trial.false_negatives = counts.gold - counts.both;
    trial.errors = trial.false_positives + trial.false_negatives;
    trial.clusters = cluster_metrics(judged.truth, judged.result);
  }
  trial.claimed_pairs = judged.claimed.size();
  trial.absent = judged.of.absent;
  trial.listed_absent = judged.of.listed_absent;
  for (DocId d = 0; d < found.ids.size(); ++d) {
    trial.read_bytes += found.bytes[d];
    if (!judged.counts(d)) continue;
    ++trial.documents;
    trial.bytes += found.bytes[d];
    if (found.kept[d] == d) continue;
    ++trial.removed;
    trial.removed_bytes += found.bytes[d];
  }
  trial.read_documents = found.ids.size();
  trial.candidates = found.candidates;
  trial.without_signature = found.without_signature;
  trial.seconds = found.seconds;
  if (options.examples > 0 && !trial.judged) add_examples(found, judged, *corpus, options.examples, trial);
  if (options.reported > 0) {
    LEITONG_ASSIGN(trial.error_rows,
                   error_rows(found, *corpus, options.assess,
                              errors_of(judged, error_rows_of(options.reported)), options.reported, context));
  }
  return trial;
}

}  // namespace leitong
