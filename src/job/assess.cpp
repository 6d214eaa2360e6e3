#include "job/assess.hpp"

#include <chrono>
#include <memory>

#include "base/try.hpp"
#include "cluster/expand.hpp"
#include "dedup/find_pairs.hpp"
#include "io/run_context.hpp"

namespace leitong {

namespace {

using WithCorpus = std::pair<Assessed, std::unique_ptr<Corpus>>;

Result<WithCorpus> find(const AssessOptions& options, const Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  RunContext run(context);
  LEITONG_ASSIGN(std::unique_ptr<Corpus> corpus, Corpus::open(options.input, run));
  LEITONG_ASSIGN(const PairResult found, find_pairs(*corpus, options.find, longest_first, run));
  Assessed assessed;
  assessed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  assessed.candidates = found.candidates;
  assessed.without_signature = found.without_signature;
  for (DocId d = 0; d < corpus->size(); ++d) assessed.kept.push_back(found.settlement.leader(d));
  PairStore expanded(found.table.units.size(), run);
  LEITONG_TRY(expand(*found.pairs, found.copies, expanded));
  LEITONG_TRY(expanded.for_each([&](const VerifiedPair& pair) { assessed.pairs.push_back(pair); }));
  const auto scratch = corpus->new_scratch();
  for (DocId document = 0; document < corpus->size(); ++document) {
    LEITONG_ASSIGN(const DocumentText text, corpus->read(document, *scratch));
    assessed.bytes.push_back(text.text.size());
    assessed.ids.emplace_back(text.id.empty() ? corpus->place_name(document) : std::string(text.id));
  }
  return std::pair(std::move(assessed), std::move(corpus));
}

}  // namespace

Result<std::pair<Assessed, std::unique_ptr<Corpus>>> assess(const AssessOptions& options,
                                                            const Context& context) {
  return on_threads(context, [&] { return find(options, context); });
}

}  // namespace leitong
