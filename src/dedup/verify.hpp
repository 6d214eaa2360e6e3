// Candidate pairs -> verified pairs: both texts are read again and compared exactly.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/candidates.hpp"
#include "base/document_table.hpp"
#include "base/pod_vector.hpp"
#include "cluster/kinship.hpp"
#include "cluster/pair_store.hpp"
#include "corpus/documents.hpp"
#include "dedup/copy_table.hpp"
#include "dedup/kept_units.hpp"
#include "dedup/near_misses.hpp"
#include "dedup/template/stage.hpp"
#include "dedup/verdict_log.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"
#include "similarity/common_passage.hpp"
#include "similarity/rule.hpp"
#include "similarity/spread.hpp"
#include "text/units.hpp"

namespace leitong {

/// Decides candidates by the rule on the true measures. Works in bands of first documents, as many as memory
/// has room for: their features are built and stay while their partners pass by in blocks, both in the order
/// of the files. A document is read at most once as the first of a pair and once a band as a partner, so the
/// reading grows with documents and bands and not with candidates. Every candidate is decided on its own, so
/// the result doesn't depend on bands, blocks, threads or the order of offers.
class Verifier : public CandidateSink {
 public:
  struct Settings {
    Rule rule;
    bool verify = true;  ///< false: candidates become pairs as they are, with Measure::estimate
    VerdictLog* log =
        nullptr;  ///< what an earlier run decided, and where this one's verdicts go; may be null
    /// Where templates are looked for: takes the pairs that the rule refuses and the second decision may not
    /// (PairStanding::aside). Candidates are then held to the ordinary rule, however common what led to them
    /// is, and accepted pairs say whether they are the same work.
    PairStore* aside = nullptr;
    const Sites* sites = nullptr;      ///< of the documents, where they are known
    const KeptUnits* units = nullptr;  ///< of some documents, which need not be read then; may be null
  };
  /// What the rule accepts of the offers is added to `pairs`, to be sorted by whoever reads them.
  Verifier(const DocumentSource& source, const DocumentTable& table, PairStore& pairs, Settings settings,
           RunContext& run);
  /// Learns of the works that `pairs`, which are sorted, tell of. Only where templates are looked for.
  Result<void> know_works(const PairStore& pairs);
  /// Goes on from what an earlier run decided.
  void restore(std::uint64_t decided, std::span<const RefusedPair> near_misses);

  Result<void> offer(std::span<const Candidate> candidates) override;
  [[nodiscard]] bool full() const override;
  Result<void> flush() override;
  [[nodiscard]] bool matched(DocId document) const override { return matched_[document]; }
  /// offer() of one pair, a != b in either order, and flush() when full(). From one thread.
  Result<void> consider(DocId a, DocId b, bool template_only);

  /// Of the refused ones those nearest to the rule; none for the edit measure, which gives up early on them.
  [[nodiscard]] std::vector<RefusedPair> take_near_misses() { return near_misses_.take(); }
  [[nodiscard]] std::span<const RefusedPair> near_misses() { return near_misses_.nearest(); }
  /// Candidates decided so far.
  [[nodiscard]] std::uint64_t decided() const noexcept { return decided_; }

  using Accept = std::function<Result<void>(const VerifiedPair&)>;
  /// Decides `candidates` (sorted by (a, b), each once) and calls `accept`, from one thread, for those that
  /// the rule accepts, and `set_aside` for those that the second decision may accept.
  Result<void> decide(std::span<const Candidate> candidates, const Accept& accept, const Accept& set_aside);
  /// The candidates (as for decide()) that the first decision accepts or sets aside, by (a, b). They are none
  /// of the run's: decided() does not count them.
  Result<std::vector<VerifiedPair>> compare_uncounted(std::span<const Candidate> candidates);
  /// From now on everything is decided a second time as well, and goes to `pairs`. Both must outlive the
  /// verifier.
  void decide_again(TemplateStage& stage, PairStore& pairs) noexcept {
    templates_ = &stage;
    pairs_ = &pairs;
  }
  /// The works that were found, as families of documents; null where templates aren't looked for.
  [[nodiscard]] const Kinship* works() const noexcept { return works_ ? &*works_ : nullptr; }
  /// A pair that the second decision refuses.
  void refuse(const VerifiedPair& pair, double closeness) { near_misses_.add(pair, closeness); }

 private:
  struct Features {
    PodVector<std::uint32_t> shingles;  // the sorted set
    // Only where template_only candidates ask, or templates are looked for:
    PodVector<std::uint32_t> ordered;  // as they follow in the text
    HashLookup lookup;                 // in `shingles`
    PassageAnchors anchors;            // in `ordered`, where passages count
    PodVector<Unit> units;             // only where edit distance is asked for
  };
  struct Workspace;
  struct Comparison;
  class Lookups;

  Result<void> judge(std::span<const Candidate> candidates, const Accept& accept, const Accept& set_aside);
  Result<std::vector<VerifiedPair>> judged(std::span<const Candidate> candidates);
  struct Verdict {
    VerifiedPair pair;
    double closeness = 0;         // 1 if the rule accepts it; else as in RefusedPair
    std::size_t shared = 0;       // common shingles, where lengths alone didn't refuse the pair
    bool may_have_noise = false;  // refused, but its letters have to be looked at
  };
  [[nodiscard]] Verdict compare(const Candidate& candidate, const Features& a, const Features& b) const;
  [[nodiscard]] Verdict compare_works(const Candidate& candidate, const Features& a, const Features& b,
                                      Lookups& lookups) const;
  /// May the two be one work, so that the order of their shingles counts?
  [[nodiscard]] bool looks_at_works(const Candidate& candidate) const noexcept;
  [[nodiscard]] bool looks_at_passage(const Candidate& candidate) const noexcept;
  /// Units of the longest passage that the two share, if it is long enough; else 0.
  [[nodiscard]] std::size_t common_passage(const Candidate& candidate, const Features& a,
                                           const Features& b) const;
  /// May the pair, which the rule refuses, be one text with noise?
  [[nodiscard]] bool may_have_noise(const Candidate& pair, const Features& a, const Features& b,
                                    std::size_t shared, Lookups& lookups) const;
  [[nodiscard]] bool are_same_work(const Candidate& pair, const Features& a, const Features& b,
                                   std::size_t shared, Lookups& lookups) const;

  const DocumentSource& source_;
  const DocumentTable& table_;
  PairStore* pairs_;
  Settings settings_;
  RunContext& run_;
  std::mutex mutex_;
  std::vector<Candidate> waiting_;
  HeldMemory held_;  // by these
  NearMisses near_misses_;
  std::vector<bool> matched_;
  std::uint64_t decided_ = 0;
  std::optional<Kinship> works_;
  TemplateStage* templates_ = nullptr;
};

}  // namespace leitong
