// Which runs of `least` units may repeat? Winnowed keys say so, before any run is compared.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/pod_vector.hpp"
#include "text/units.hpp"
#include "trim/part_groups.hpp"

namespace leitong {

/// A set of keys that may say yes for a key that is not in it. Any number of threads may add at once.
class KeyFilter {
 public:
  /// For about so many keys: 8 to 16 bits each.
  explicit KeyFilter(std::uint64_t keys);
  void add(std::uint64_t key) noexcept;
  [[nodiscard]] bool may_hold(std::uint64_t key) const noexcept;

 private:
  std::uint64_t mask_;  // of a bit's number
  std::unique_ptr<std::atomic<std::uint64_t>[]> words_;
};

/// The keys of runs. One for each thread.
class RunKeys {
 public:
  /// REQUIRES kLeastRun <= least <= kMostRun.
  explicit RunKeys(std::size_t least);
  static constexpr std::size_t kLeastRun = 8, kMostRun = 1000;

  /// Appends the keys of a text. Two equal runs, of one text or of two, have a common key that was appended
  /// at least twice. About two keys for each `least` / 2 units.
  void append_keys(std::span<const Unit> units, PodVector<std::uint64_t>& keys);
  /// Replaces `runs` by the first units of the runs that may repeat: those with a key in the filter.
  void runs_in(std::span<const Unit> units, const KeyFilter& filter, PodVector<std::uint32_t>& runs);
  /// The hash of one of these runs: those of the shingles at its two ends, which cover it.
  [[nodiscard]] PartHash hash_of(std::uint32_t run) const noexcept {
    return {shingles_[run], shingles_[run + least_ - shingle_]};
  }

 private:
  /// Fills minima_ with the key of each run, from shingles_.
  void find_minima(std::span<const Unit> units);

  std::size_t least_, shingle_, window_;
  PodVector<std::uint64_t> shingles_, minima_, suffixes_;
};

}  // namespace leitong
