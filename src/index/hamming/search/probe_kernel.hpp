// The inner loops of index search, compiled for each instruction set: they find the stored fingerprints near
// the queries. Internal to src/index/hamming.
//
// All fingerprints with one key of a table are adjacent in its bucket, as packed values in ascending order; a
// directory has the beginning of each bucket. A query visits the buckets of all keys within the table's
// radius of its own key.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.hpp"
#include "index/hamming/search/table_code.hpp"

namespace leitong::hamming {

/// The largest radius of an index's table; the number of buckets to visit grows like its power.
inline constexpr unsigned kMaxRadius = 4;
/// The bytes after the last entry of a table that kernels may read.
inline constexpr std::size_t kEntrySlack = 256;
/// The most queries in progress at once, and the number when each makes few visits.
inline constexpr std::size_t kGroupQueries = 1024;
inline constexpr std::size_t kUsualQueries = 128;
/// The visits to a table of at most so many key bits may be made in the order of its buckets, if there are at
/// most so many visits.
inline constexpr unsigned kOrderedKeyBits = 18;
inline constexpr std::size_t kOrderedVisits = 1 << 18;
/// A bucket with more entries may have its own tables.
inline constexpr std::uint32_t kSplitAbove = 2048;
inline constexpr std::uint32_t kNoPosition = 0xffffffff;

/// A table in the form of the kernels.
struct ProbeTable {
  std::uint64_t mask[2];                       ///< low word first
  const std::uint32_t* directory;              ///< 2^key_bits + 1 positions
  const std::uint8_t* entries;                 ///< kEntrySlack readable bytes follow the last one
  const std::uint32_t* flips;                  ///< differences of keys, by number of bits
  std::uint32_t flips_within[kMaxRadius + 1];  ///< how many of them have at most so many bits
  const Hamming31Ball* balls;                  ///< for the code hamming31
  const std::uint32_t* split_keys;             ///< buckets with their own tables, ascending
  const std::uint32_t* split_nodes;            ///< the nodes of these buckets
  std::uint32_t splits;
  const BitRuns* mask_runs;
  const BitRuns* rest_runs;
  std::uint8_t rest_bits, value_bits, entry_bytes;
  BucketCode code;
};

/// A table that is searched earlier: its results are excluded.
struct Exclusion {
  std::uint64_t mask[2];
  std::int32_t radius;  ///< below 0: the table is not searched
};

template <Fingerprint F>
struct RawHit {
  F fingerprint;
  std::uint32_t position;  ///< position in the first table of the level, or kNoPosition
  std::uint16_t query, distance;
};

/// A bucket with its own tables, which are to be searched for a query.
struct SplitProbe {
  std::uint32_t node;
  std::uint16_t query, table;
};

/// A group of queries that is searched in some tables.
template <Fingerprint F>
struct ProbeGroup {
  const ProbeTable* tables;
  const Exclusion* exclusions;  ///< `before` of them, then one for each table with its radius
  std::uint32_t table_count, before;
  const F* queries;
  std::int16_t* limits;  ///< by query: the distance within which hits count; below 0: none any more
  std::uint32_t query_count;
  HitRule rule;
  bool positions;  ///< true: the entries of the first table are positions

  std::uint32_t* visits;  ///< working space of kOrderedVisits, or null
  std::uint32_t* begins;  ///< working space of 2^kOrderedKeyBits + 1

  RawHit<F>* hits;
  SplitProbe* split_probes;
  std::uint32_t hit_count, hit_room, split_count, split_room;
  void (*drain_hits)(ProbeGroup&);  ///< empties `hits`
  void (*drain_splits)(ProbeGroup&);
  void* owner;
};

template <Fingerprint F>
struct ProbeKernels {
  /// Reports every stored fingerprint within a query's limit once. Leaves the last hits undrained.
  void (*search)(ProbeGroup<F>& group);
  /// positions[i]: the index of fingerprints[i] in the table, or kNoPosition. `count` <= kLocateMost.
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
