// Verified pairs, each once, in order: in memory while there is room, then on disk.
#pragma once

#include <bitset>
#include <cstdint>
#include <type_traits>

#include "base/loss.hpp"
#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "base/try.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The order of pairs: by (a, b). If a pair was decided twice, the first in this order counts: the more
/// ordinary measure, then the higher score.
[[nodiscard]] bool goes_before(const VerifiedPair& x, const VerifiedPair& y) noexcept;

/// Partitions of pairs by their first document: 24 bytes each, 24 more for pairs with a second decision, and
/// 40 more for each loss. sort() puts what was added in its place; then the pairs can be read, and more can
/// be added. The run must outlive the store.
class PairStore {
 public:
  PairStore(std::uint64_t documents, RunContext& run);

  /// REQUIRES pair.a < pair.b < documents. From one thread at a time.
  Result<void> add(const VerifiedPair& pair);
  /// Adds what `stays` lacks of `leaves`, two documents of a pair; if it is added twice, either one counts.
  /// From one thread at a time.
  Result<void> add_loss(DocId leaves, DocId stays, const Loss& loss);
  /// Sorts what was added and keeps each pair once. Time: O(n log n) for the partitions that pairs, or
  /// losses, were added to.
  Result<void> sort();

  /// REQUIRES for all that follow: sort() after the last add().
  [[nodiscard]] std::uint64_t size() const noexcept { return partitions_.size() / kWords; }
  /// Calls each(pair), or each(pair, its losses), void or Result<void>, for every pair in order; the first
  /// failure ends it. The pairs of one partition at a time are in memory.
  template <class Each>
  Result<void> for_each(Each each) const;

  /// The run to which the pairs belong.
  [[nodiscard]] RunContext& run() const noexcept { return run_; }

 private:
  static constexpr std::size_t kWords = 3, kLossWords = 5;
  static VerifiedPair unpack(const std::uint64_t* words) noexcept;
  static WithoutTemplate unpack_own(const std::uint64_t* words) noexcept;
  static void unpack_loss(const std::uint64_t* words, PairLosses& losses) noexcept;

  RunContext& run_;
  Partitions partitions_;
  Partitions own_;  // WithoutTemplate of pairs with a second decision, under the same first word as the pair
  Partitions losses_;  // losses of both documents, under the same first word as the pair
  Partitions::Writer writer_, own_writer_, loss_writer_;
  unsigned shift_;
  std::bitset<Partitions::kCount> new_pairs_, new_losses_;  // the partitions that were added to since sort()
};

template <class Each>
Result<void> PairStore::for_each(Each each) const {
  constexpr bool kWantsLosses = std::is_invocable_v<Each&, const VerifiedPair&, const PairLosses&>;
  PodVector<std::uint64_t> words, own, lost;
  for (unsigned partition = 0; partition < Partitions::kCount; ++partition) {
    LEITONG_TRY(run_.stop.check());
    LEITONG_TRY(partitions_.load(partition, words));
    LEITONG_TRY(own_.load(partition, own));
    if constexpr (kWantsLosses) LEITONG_TRY(losses_.load(partition, lost));
    for (std::size_t i = 0, o = 0, l = 0; i < words.size(); i += kWords) {
      VerifiedPair pair = unpack(&words[i]);
      if (o < own.size() && own[o] == words[i]) {
        pair.own = unpack_own(&own[o]);
        o += kWords;
      }
      const auto call = [&] {
        if constexpr (kWantsLosses) {
          PairLosses losses;
          for (; l < lost.size() && lost[l] == words[i]; l += kLossWords) unpack_loss(&lost[l], losses);
          return each(pair, losses);
        } else {
          return each(pair);
        }
      };
      if constexpr (std::is_void_v<decltype(call())>) {
        call();
      } else {
        LEITONG_TRY(call());
      }
    }
  }
  return {};
}

}  // namespace leitong
