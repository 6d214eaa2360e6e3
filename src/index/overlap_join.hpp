// Turns winnowed keys into candidate pairs by the number of shared keys: the join for rules below the default
// one.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/candidates.hpp"
#include "base/document_table.hpp"
#include "base/pod_vector.hpp"
#include "index/pair_bag.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Finds the pairs that share at least as many keys as `needed` says, however common these are, and those
/// that share a long key, and so perhaps a passage.
///
/// - For a key of up to kHot documents all pairs are listed, and the sums of all keys are compared with
///   `needed`. A key of one document makes no pair.
/// - The other keys are *hot*. They stay in memory, as lists of documents and lists of keys, and are added to
///   a pair's sum if this can decide. A document whose hot keys alone may be enough walks along their lists
///   and counts (ScanCount: Li, Lu, Lu 2008), the rarest first, up to kWalk entries. The others are left
///   out, and such documents are counted (Figures::limited). So a template that all documents share costs
///   linear time, and what it may hide is reported.
/// - A long key makes pairs of the documents of different families that hold it: documents of one family are
///   the same work and meet by their other keys. If the families are so many that they make a template
///   (similarity/template_rule.hpp), everything in the key is template, and it makes no pair. Neither does a
///   key that more than kHotLong documents hold; such keys are counted.
///
/// Exact except for these two limits. Memory: keys and pairs are in Partitions and go to disk when the budget
/// is used up; 16 bytes a document and 8 a hot entry stay. The candidates do not depend on threads, memory or
/// the order of documents.
class OverlapJoin {
 public:
  static constexpr std::uint32_t kHot = 32, kHotLong = 64;
  static constexpr std::uint64_t kWalk = std::uint64_t{1} << 17;

  /// The number of keys that two documents must share, by their units (a <= b) and numbers of distinct keys;
  /// infinite if the lengths alone exclude the pair. Rises with either number of keys. Thread-safe.
  using Needed = std::function<double(std::uint32_t units_a, std::uint32_t keys_a, std::uint32_t units_b,
                                      std::uint32_t keys_b)>;
  /// The window by which the keys of a document of so many units are selected: a power of two that rises with
  /// the units.
  using Window = std::uint32_t (*)(std::uint32_t units);

  OverlapJoin(Window window, const DocumentTable& table, RunContext& run);

  /// Adds documents in ascending order; keys may repeat.
  Result<void> add(DocId document, std::span<const std::uint64_t> keys,
                   std::span<const std::uint64_t> long_keys);

  /// Finds and offers the pairs that share enough keys; their score estimates containment. Call it once.
  /// Fails with limit if a set memory budget has no room for the hot entries.
  Result<void> find(CandidateSink& sink, const Needed& needed);
  /// Finds and offers the pairs that share a long key, with Candidate::passage. `family`: a number for each
  /// document, equal within a family; empty if templates count, so that every document is a family. Call it
  /// once.
  Result<void> find_passages(CandidateSink& sink, std::span<const DocId> family);

  struct Figures {
    std::uint64_t keys = 0, long_keys = 0, shared_keys = 0, hot_keys = 0, hot_entries = 0;
    std::uint64_t template_long_keys = 0, hot_long_keys = 0;
    std::uint64_t raw_pairs = 0, walked = 0, distinct_pairs = 0;
    std::uint64_t limited = 0;  ///< documents whose hot keys were not all walked
  };
  [[nodiscard]] const Figures& figures() const noexcept { return figures_; }

 private:
  struct HotKeys;
  struct HotGroups;

  template <class Each>
  Result<void> for_each_key(Partitions& entries, PairBag& pairs, Each each);
  Result<std::vector<HotGroups>> group(PairBag& pairs);
  Result<HotKeys> list(std::span<HotGroups> groups);
  Result<void> walk(const HotKeys& hot, const Needed& needed, PairBag& pairs);
  Result<void> offer(PairBag& pairs, const HotKeys& hot, const Needed& needed, CandidateSink& sink);
  Result<void> add_pair(PairBag::Writer& writer, DocId x, DocId y, std::uint8_t evidence) const;
  [[nodiscard]] double needed_of(const Needed& needed, DocId x, DocId y) const;

  Window window_;
  const DocumentTable& table_;
  RunContext& run_;
  Partitions entries_, long_entries_;
  Partitions::Writer writer_, long_writer_;
  PodVector<std::uint32_t> keys_;  // for each document: the number of its distinct keys
  Figures figures_;
};

}  // namespace leitong
