// Which runs of `least` units may repeat? Winnowed keys say so, before any run is compared.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

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

/// Successive runs of a text that have one key, at one place of the text.
struct RunSegment {
  std::uint32_t at;     ///< the first unit of the first run
  std::uint32_t count;  ///< runs
  std::uint64_t key;
  PartHash hash;  ///< of all their units
};

/// The keys of runs. One for each thread.
class RunKeys {
 public:
  /// REQUIRES kLeastRun <= least <= kMostRun.
  explicit RunKeys(std::size_t least);
  static constexpr std::size_t kLeastRun = 8, kMostRun = 1000;
  /// No more runs are in one segment.
  static constexpr std::size_t kMostRuns = 512;

  /// Appends the keys of a text. Each run has one of them, which depends on its units alone. Two equal runs,
  /// of one text or of two, have a common key that was appended at least twice: once for the place of each.
  /// About three keys for `least` units.
  void append_keys(std::span<const Unit> units, PodVector<std::uint64_t>& keys);
  /// Replaces `segments` by those of the runs that may repeat: whose key is in the filter. By their places.
  void segments_in(std::span<const Unit> units, const KeyFilter& filter, PodVector<RunSegment>& segments);
  /// Replaces `hashes` by those of `count` runs from unit `at` on, one by one.
  void hash_runs(std::span<const Unit> units, std::size_t at, std::size_t count, PodVector<PartHash>& hashes);

 private:
  /// Where the keys are.
  struct Choice {
    std::uint32_t run;    // the first one that has it
    std::uint32_t place;  // the first unit of the key
  };
  /// Fills choices_.
  void choose(std::span<const Unit> units);
  [[nodiscard]] std::uint64_t key_at(const Unit* units) const noexcept;

  std::size_t least_, window_, key_units_, chosen_by_;
  PodVector<std::uint32_t> selection_, minima_, other_;
  PodVector<Choice> choices_;
  PodVector<std::uint64_t> shingles_;
};

}  // namespace leitong
