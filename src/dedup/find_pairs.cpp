#include "dedup/find_pairs.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <tuple>

#include "dedup/audit.hpp"
#include "dedup/scan.hpp"
#include "dedup/verify.hpp"

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

bool contains(const std::vector<VerifiedPair>& pairs, DocId a, DocId b) {
  auto before = [](const VerifiedPair& p, std::pair<DocId, DocId> q) { return std::pair(p.a, p.b) < q; };
  const auto at = std::lower_bound(pairs.begin(), pairs.end(), std::pair(a, b), before);
  return at != pairs.end() && at->a == a && at->b == b;
}

// Decides the sample's pairs that the run hasn't verified, and counts.
Result<Audit> evaluate(RecallSample& sample, Verifier& verifier, const Found& found) {
  Audit audit;
  audit.sampled_documents = sample.sampled();
  std::vector<Candidate> unseen;
  for (const Candidate& c : sample.take_candidates()) {
    if (contains(found.pairs, c.a, c.b))
      ++audit.direct;
    else
      unseen.push_back(c);
  }
  std::vector<VerifiedPair> missed;
  LEITONG_TRY(verifier.decide(unseen, missed));
  audit.pairs = audit.direct + missed.size();
  const std::vector<DocId> component = connected_components(found.table.units.size(), found.pairs);
  audit.linked = audit.direct;
  for (const VerifiedPair& p : missed) audit.linked += component[p.a] == component[p.b];
  return audit;
}

}  // namespace

Result<Found> find_pairs(DocumentSource& source, const FindOptions& options, MemoryBudget& memory,
                         const WorkFolder& work, const ProgressFn& progress, const std::atomic<bool>& stop) {
  Found found;
  StageClock clock(found.stage_seconds);
  auto report = [&](std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) {
    if (progress) progress({stage, done, total, unit});
  };

  LEITONG_ASSIGN(const std::unique_ptr<Method> method,
                 make_method(options.method, {options.rule, found.table, memory, work, options.verify}));
  std::unique_ptr<RecallSample> sample;
  if (options.audit && options.verify && options.rule.measure != Measure::edit)
    sample = std::make_unique<RecallSample>(options.rule, found.table);

  Scan first_pass{source,
                  *method,
                  found.table,
                  sample.get(),
                  memory,
                  stop,
                  [&] { report("reading", source.bytes_read(), source.total_bytes(), "bytes"); },
                  {},
                  0};
  LEITONG_TRY(scan(first_pass));
  found.copies = std::move(first_pass.copies);
  found.text_bytes = first_pass.text_bytes;
  clock.lap("read");

  Verifier verifier(source, found.table, memory, {options.rule, options.verify, stop, [&](std::uint64_t n) {
                                                    report("verifying", n, 0, "pairs");
                                                  }});
  LEITONG_TRY(method->find(verifier));
  found.pairs = verifier.take_pairs();
  found.candidates = verifier.decided();
  found.figures = method->figures();
  clock.lap("match");

  LEITONG_ASSIGN(found.hash_collisions, verifier.confirm(found.copies));
  clock.lap("copies");
  if (sample) {
    LEITONG_ASSIGN(found.audit, evaluate(*sample, verifier, found));
    clock.lap("audit");
  }
  found.near_misses = verifier.take_near_misses();
  return found;
}

}  // namespace leitong
