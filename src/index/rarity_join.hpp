// Winnowed keys -> candidate pairs: the join of the default method.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "base/candidates.hpp"
#include "base/document_table.hpp"
#include "base/pod_vector.hpp"
#include "index/pair_bag.hpp"
#include "index/rarity_weights.hpp"
#include "io/partitions.hpp"
#include "io/progress_meter.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Joins documents by shared keys, weighted by rarity: a key of df documents counts 1/sqrt(df).
///
/// Documents come in two tiers by length, which overlap: short ones have dense keys of short shingles (tier
/// 0), long ones sparse keys of long shingles (tier 1), and those between have both, so that any two
/// documents of comparable length meet in one tier.
///
/// - A key of one document makes no pair. A key of more than kHot documents is *hot*: its pairs would be
///   quadratic.
/// - Any other key emits a pair if it is in the weighted prefix of one of the two: the most common keys that
///   together hold at most kKeyPrefix of a document's rarity never emit alone. A pair is a candidate if the
///   rarity that it shares is at least 0.10 (tier 0) or 0.05 of that of the document with less rarity.
/// - Hot keys: each holder is paired with the two holders of smallest content hash, which are the same for
///   every key of a family, so that shared counts add up. It is a candidate if they share 0.30 of the
///   expected keys. Documents with at least 0.20 hot keys and without a match repeat this among themselves.
///   Linear. The limit: two ordinary members of a large family are compared with their leaders, not with each
///   other. find_strays() has other leaders for documents that match none of these. Documents that still have
///   no match are counted.
/// - Two such documents share their template in any case, so a phrase or two of their own says little: a pair
///   that shares less than half of its rarity is marked Candidate::template_only, like one that only hot keys
///   found.
///
/// Memory: keys and pairs are in Partitions and go to disk when the budget is used up; 12 bytes a document
/// stay, and 33 more while a tier is weighed. If the pairs take more than the keys and more than four times
/// the buffers, or half of what the disk has left, they are made in slices, each from all keys. Time: radix
/// work on the keys plus at most kHot/2 pairs a key. The candidates do not depend on the number of threads,
/// the memory or the order of documents.
class RarityJoin {
 public:
  static constexpr unsigned kTiers = 2;
  static constexpr std::uint32_t kHot = kHotKey;
  static constexpr int kRounds = 3;
  static constexpr int kFrameRounds = 24;  ///< if frames are used ..
  /// .. as long as a round finds a pair for one document in so many.
  static constexpr std::uint64_t kWorthwhile = 50;

  using Tiers = KeyTiers;

  /// `frame`: a document is framed if at least 0.05 of its keys are held by so many documents. A pair whose
  /// lengths are out of the rule's reach is also a candidate if the longer document is framed and the two
  /// share something rarer: without what many documents hold, one may be a copy of the other. At least 2; 0:
  /// frames are not used.
  RarityJoin(const Tiers& tiers, const DocumentTable& table, RunContext& run, std::uint32_t frame = 0);

  /// Adds documents in ascending order; keys may repeat. Documents that are left out hold no keys.
  Result<void> add(DocId document, std::array<std::span<const std::uint64_t>, kTiers> keys);

  /// reachable(a, b), units with a <= b: can the rule hold for these lengths?
  using Reachable = std::function<bool(std::uint32_t, std::uint32_t)>;
  /// Finds and offers the candidates. Call it once.
  Result<void> find(CandidateSink& sink, const Reachable& reachable);

  /// What find() learns of a document.
  struct Weights {
    std::array<std::uint32_t, kTiers> rarity{};  ///< the sum of the weights of its keys; before, their number
    /// The greatest share of hot keys in a tier, in 1/255, and that of keys of `frame` documents.
    std::uint8_t hot_share = 0, frame_share = 0;
  };
  /// The documents of a hot key, ascending.
  struct HotKey {
    unsigned tier = 0;
    std::span<const DocId> documents;
  };
  /// In place of add() and find(), whose results these are: `weights` of each document and the hot keys.
  Result<void> take_over(std::span<const Weights> weights, std::span<const HotKey> keys);

  /// The last step of find(): documents of hot keys that match nobody get other leaders, in rounds.
  Result<void> lead_unmatched(CandidateSink& sink, const Reachable& reachable);

  /// After find(), with other leaders in each `round`: a hot key with a family that most of its holders
  /// belong to leads the others to members of this family. `family`: a number for each document, kNoDocument
  /// for those in none.
  Result<void> find_strays(CandidateSink& sink, const Reachable& reachable, std::span<const DocId> family,
                           unsigned round);

  /// After find(), among the documents whose `likeness` (one for each document) is not 0: a hot key leads
  /// them to the two of greatest likeness.
  Result<void> find_among(CandidateSink& sink, const Reachable& reachable,
                          std::span<const std::uint32_t> likeness);

  /// After find(): are at least 0.20 of the document's keys hot?
  [[nodiscard]] bool is_hot(DocId document) const noexcept;

  struct Figures {
    std::uint64_t documents = 0, keys = 0, shared_keys = 0, hot_keys = 0, hot_entries = 0;
    std::uint64_t raw_pairs = 0, star_pairs = 0, distinct_pairs = 0, candidates = 0;
    std::uint64_t hot_unmatched = 0;
  };
  [[nodiscard]] const Figures& figures() const noexcept { return figures_; }

  /// After find(): does it know frame_share()?
  [[nodiscard]] bool knows_frames() const noexcept { return frame_ > 0 && !weights_.empty(); }
  /// The share of the document's keys that so many documents hold, in 1/255; 0 if frames are not used.
  [[nodiscard]] std::uint8_t frame_share(DocId document) const noexcept;

 private:
  struct Tier {
    explicit Tier(RunContext& run) : entries(run), hot(run), writer(entries) {}
    Partitions
        entries;     // (key bits, document); after weigh() only those of keys that 2 to kHot documents share
    Partitions hot;  // the entries of hot keys
    Partitions::Writer writer;
    PodVector<std::uint8_t> last_class;  // for each document: the most common class of keys that emits
  };

  Result<void> weigh(unsigned tier, ProgressMeter& meter);
  [[nodiscard]] unsigned slices() const noexcept;
  /// `meter`: where the keys are read for the last time, and are forgotten; null before that.
  Result<void> emit_shared(unsigned tier, PairBag& pairs, ProgressMeter* meter);
  template <class GoesFirst, class Joins, class LeadsAmong, class Follows>
  Result<void> emit_stars(unsigned tier, PairBag& pairs, GoesFirst goes_first, Joins joins,
                          LeadsAmong leads_among, Follows follows);
  Result<void> offer_candidates(PairBag& pairs, CandidateSink& sink, const Reachable& reachable,
                                PairBag::Slice slice = {});
  [[nodiscard]] std::uint64_t count_hot_unmatched(const CandidateSink& sink) const;

  Tiers tiers_;
  const DocumentTable& table_;
  RunContext& run_;
  std::array<Tier, kTiers> tier_;
  PodVector<Weights> weights_;  // together, because those of a pair's documents lie anywhere in memory
  std::uint32_t frame_;
  std::uint64_t most_pairs_ = 0;  // that shared keys can emit
  Figures figures_;
};

}  // namespace leitong
