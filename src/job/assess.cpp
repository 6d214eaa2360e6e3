#include "job/assess.hpp"

#include <chrono>
#include <memory>

#include "cluster/expand.hpp"
#include "io/run_context.hpp"

namespace leitong {

Result<std::pair<Assessed, std::unique_ptr<Corpus>>> assess(const AssessOptions& options,
                                                            const std::atomic<bool>& stop) {
  const auto begin = std::chrono::steady_clock::now();
  const Context context(
      {.threads = options.threads, .memory = options.memory, .work_folder = options.input.work_dir});
  RunContext run(context);
  run.stop = StopToken(stop);
  LEITONG_ASSIGN(std::unique_ptr<Corpus> corpus, Corpus::open(options.input));
  LEITONG_ASSIGN(const Found found,
                 run.on_threads([&] { return find_pairs(*corpus, options.find, longest_first, run); }));
  Assessed assessed;
  assessed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  assessed.candidates = found.candidates;
  assessed.without_signature = found.without_signature;
  assessed.kept.assign(found.settlement.kept.begin(), found.settlement.kept.end());
  PairStore expanded(found.table.units.size(), run.memory, run.work);
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

}  // namespace leitong
