// The inner loops of index search, compiled once per instruction set: from queries to the stored fingerprints
// near them. Internal to src/index/hamming.
//
// All fingerprints with one key of a table lie together in its bucket, as packed values in rising order; a
// directory says where each bucket begins. A query visits the buckets of all keys within the table's radius
// of its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.hpp"
#include "index/hamming/search/table_code.hpp"

namespace leitong::hamming {

/// Largest radius of an index's table: the buckets to visit grow like its power.
inline constexpr unsigned kMaxRadius = 4;
/// Bytes that kernels may read behind the last entry of a table.
inline constexpr std::size_t kEntrySlack = 256;
/// Queries that are in flight together at most, and those that are where each makes few visits.
inline constexpr std::size_t kGroupQueries = 1024;
inline constexpr std::size_t kUsualQueries = 128;
/// Visits to a table of at most so many key bits may be made in the order of its buckets, if there are at
/// most so many.
inline constexpr unsigned kOrderedKeyBits = 18;
inline constexpr std::size_t kOrderedVisits = 1 << 18;
/// A bucket above this many entries may have tables of its own.
inline constexpr std::uint32_t kSplitAbove = 2048;
inline constexpr std::uint32_t kNoPosition = 0xffffffff;

/// One table as kernels see it.
struct ProbeTable {
  std::uint64_t mask[2];                       ///< low word first
  const std::uint32_t* directory;              ///< 2^key_bits + 1 positions
  const std::uint8_t* entries;                 ///< kEntrySlack readable bytes behind the last
  const std::uint32_t* flips;                  ///< differences of keys, in order of weight
  std::uint32_t flips_within[kMaxRadius + 1];  ///< how many of them have at most so many bits
  const Hamming31Ball* balls;                  ///< for code hamming31
  const std::uint32_t* split_keys;             ///< buckets with tables of their own, rising
  const std::uint32_t* split_nodes;            ///< which
  std::uint32_t splits;
  const BitRuns* mask_runs;
  const BitRuns* rest_runs;
  std::uint8_t rest_bits, value_bits, entry_bytes;
  BucketCode code;
};

/// A table that is searched before: what it finds is its own.
struct Exclusion {
  std::uint64_t mask[2];
  std::int32_t radius;  ///< below 0: the table isn't searched
};

template <Fingerprint F>
struct RawHit {
  F fingerprint;
  std::uint32_t position;  ///< in the first table of the level, or kNoPosition
  std::uint16_t query, distance;
};

/// A bucket that has tables of its own, to be searched for a query.
struct SplitProbe {
  std::uint32_t node;
  std::uint16_t query, table;
};

/// A group of queries on their way through some tables.
template <Fingerprint F>
struct ProbeGroup {
  const ProbeTable* tables;
  const Exclusion* exclusions;  ///< `before` of them, and then one for each table with its radius
  std::uint32_t table_count, before;
  const F* queries;
  std::int16_t* limits;  ///< distance within which hits count, by query; below 0 for none any more
  std::uint32_t query_count;
  HitRule rule;
  bool positions;  ///< entries of the first table are positions

  std::uint32_t* visits;  ///< working space of kOrderedVisits, or null
  std::uint32_t* begins;  ///< and of 2^kOrderedKeyBits + 1

  RawHit<F>* hits;
  SplitProbe* split_probes;
  std::uint32_t hit_count, hit_room, split_count, split_room;
  void (*drain_hits)(ProbeGroup&);  ///< empties `hits`
  void (*drain_splits)(ProbeGroup&);
  void* owner;
};

template <Fingerprint F>
struct ProbeKernels {
  /// Reports every stored fingerprint within a query's limit, each once. Leaves hits undrained at the end.
  void (*search)(ProbeGroup<F>& group);
  /// positions[i]: where fingerprints[i] lies in the table, or kNoPosition. `count` <= kLocateMost.
  void (*locate)(const ProbeTable& table, const F* fingerprints, std::size_t count, std::uint32_t* positions);
};

inline constexpr std::size_t kLocateMost = 512;

template <Fingerprint F>
[[nodiscard]] const ProbeKernels<F>& probe_kernels(Simd level) noexcept;

template <Fingerprint F>
const ProbeKernels<F>& probe_kernels_scalar() noexcept;
template <Fingerprint F>
const ProbeKernels<F>& probe_kernels_avx2() noexcept;
template <Fingerprint F>
const ProbeKernels<F>& probe_kernels_avx512() noexcept;

}  // namespace leitong::hamming
