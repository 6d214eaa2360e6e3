// Turns candidate pairs into verified pairs: both texts are read again and compared exactly.
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
#include "dedup/candidate_blocks.hpp"
#include "dedup/copy_table.hpp"
#include "dedup/grouped_texts.hpp"
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
/// has room for: their features are built and kept while their partners are read in blocks, both in the order
/// of the files. A document is read at most once as the first of a pair and once a band as a partner, so the
/// reading grows with documents and bands and not with candidates. Where the units of the texts are on disk,
/// many candidates wait there, too, until flush() decides them by blocks (dedup/candidate_blocks.hpp). Every
/// candidate is decided on its own, so the result does not depend on bands, blocks, threads or the order of
/// offers.
class Verifier : public CandidateSink {
 public:
  struct Settings {
    Rule rule;
    bool verify = true;  ///< false: candidates become pairs as they are, with Measure::estimate
    VerdictLog* log =
        nullptr;  ///< the verdicts of an earlier run, and where those of this run go; may be null
    /// Where templates are looked for: receives the pairs that the rule refuses and the second decision may
    /// accept (PairStanding::aside). Candidates are then held to the ordinary rule even if common keys led to
    /// them, and accepted pairs say whether they are the same work.
    PairStore* aside = nullptr;
    const Sites* sites = nullptr;  ///< sites of the documents, if they are known
    KeptUnits* units = nullptr;    ///< units of some documents, which then need not be read; may be null
  };
  /// Offered pairs that the rule accepts are added to `pairs`, which its readers must sort.
  Verifier(const DocumentSource& source, const DocumentTable& table, PairStore& pairs, Settings settings,
           RunContext& run);
  /// Learns from `pairs`, which are sorted, who has a match, and the works where templates are looked for.
  Result<void> know(const PairStore& pairs);
  /// Continues from the decisions of an earlier run.
  void restore(std::uint64_t decided, std::span<const RefusedPair> near_misses);

  Result<void> offer(std::span<const Candidate> candidates) override;
  void expect(double part) override;
  [[nodiscard]] bool full() const override;
  Result<void> flush() override;
  [[nodiscard]] bool matched(DocId document) const override { return matched_[document]; }
  /// Calls offer() for one pair, a != b in either order, and flush() when full(). From one thread.
  Result<void> consider(DocId a, DocId b, bool template_only);

  /// Returns the refused pairs nearest to the threshold; none for the edit measure, which stops early on
  /// refused pairs.
  [[nodiscard]] std::vector<RefusedPair> take_near_misses() { return near_misses_.take(); }
  [[nodiscard]] std::span<const RefusedPair> near_misses() { return near_misses_.nearest(); }
  /// Candidates decided so far.
  [[nodiscard]] std::uint64_t decided() const noexcept { return decided_; }

  using Accept = std::function<Result<void>(const VerifiedPair&)>;
  /// Decides `candidates` (sorted by (a, b), each once). Calls `accept`, from one thread, for those that the
  /// rule accepts, and `set_aside` for those that the second decision may accept.
  Result<void> decide(std::span<const Candidate> candidates, const Accept& accept, const Accept& set_aside);
  /// Returns the candidates (as for decide()) that the first decision accepts or sets aside, sorted by (a,
  /// b). They do not belong to the run: decided() does not count them.
  Result<std::vector<VerifiedPair>> compare_uncounted(std::span<const Candidate> candidates);
  /// From now on every pair is decided a second time as well, and goes to `pairs`. Both must outlive the
  /// verifier.
  void decide_again(TemplateStage& stage, PairStore& pairs) noexcept {
    templates_ = &stage;
    pairs_ = &pairs;
  }
  /// From now on `pairs` takes the pairs of documents that may be compared, and consider() takes documents
  /// that stand for parts (GroupedTexts). Both must outlive the verifier.
  void divide(const GroupedTexts& groups, PairStore& pairs) noexcept {
    groups_ = &groups;
    pairs_ = &pairs;
  }
  /// The works that were found, as families of documents; null where templates are not looked for.
  [[nodiscard]] const Kinship* works() const noexcept { return works_ ? &*works_ : nullptr; }
  /// Records a pair that the second decision refuses.
  void refuse(const VerifiedPair& pair, double closeness) { near_misses_.add(pair, closeness); }

 private:
  struct Features {
    std::span<const std::uint32_t> shingles;  // the sorted set
    // Only where template_only candidates need it, or where templates are looked for:
    std::span<const std::uint32_t> ordered;  // as they follow in the text
    HashLookup lookup;                       // of `shingles`
    PassageAnchors anchors;                  // of `ordered`, where passages count
    PodVector<Unit> units;                   // only for the edit distance
    bool may_have_letters = false;           // enough to tell noise
  };
  struct Workspace;
  struct Comparison;
  class Lookups;

  void match(const VerifiedPair& pair);
  [[nodiscard]] bool many_wait() const noexcept;
  Result<void> decide_offered(std::vector<Candidate>& candidates);
  Result<void> judge(std::span<const Candidate> candidates, const Accept& accept, const Accept& set_aside);
  Result<std::vector<VerifiedPair>> judged(std::span<const Candidate> candidates);
  struct Verdict {
    VerifiedPair pair;
    double closeness = 0;         // 1 if the rule accepts it; otherwise as in RefusedPair
    std::size_t shared = 0;       // the number of common shingles, unless the lengths alone refused the pair
    bool may_have_noise = false;  // refused, but its letters must be compared
  };
  [[nodiscard]] Verdict compare(const Candidate& candidate, const Features& a, const Features& b) const;
  [[nodiscard]] Verdict compare_works(const Candidate& candidate, const Features& a, const Features& b,
                                      Lookups& lookups) const;
  /// True if the two may be one work, so that the order of their shingles counts.
  [[nodiscard]] bool looks_at_works(const Candidate& candidate) const noexcept;
  [[nodiscard]] bool looks_at_passage(const Candidate& candidate) const noexcept;
  /// The number of units of the longest passage that the two share if it is long enough, otherwise 0.
  [[nodiscard]] std::size_t common_passage(const Candidate& candidate, const Features& a,
                                           const Features& b) const;
  /// True if the pair, which the rule refuses, may be one text with noise.
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
  HeldMemory held_;
  std::optional<CandidateBlocks> blocks_;  // where the units are on disk
  NearMisses near_misses_;
  std::vector<bool> matched_;
  std::uint64_t decided_ = 0;
  std::string_view stage_ = "verifying";  // for progress, as what follows
  std::uint64_t offered_ = 0, offered_before_ = 0, expected_ = 0;
  std::optional<Kinship> works_;
  TemplateStage* templates_ = nullptr;
  const GroupedTexts* groups_ = nullptr;
};

}  // namespace leitong
