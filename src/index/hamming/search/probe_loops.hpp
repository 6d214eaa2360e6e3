// Index search as loops over a group of queries, included by the file of each instruction set. Internal
// linkage and no functions of the standard library: see text/units_kernel.hpp.
//
// A probe is the visit of one query to one bucket. It waits for memory twice, for the directory and for the
// entries. So probes are processed in windows of three stages: while one window is compared, the entries of
// the next one and the directory of the one after it are loaded.
#pragma once

#include "index/hamming/search/probe_kernel.hpp"

namespace leitong::hamming {
namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
__extension__ typedef unsigned __int128 u128;

template <class F>
struct WordOf {
  using type = u128;
};
template <>
struct WordOf<Fingerprint64> {
  using type = u64;
};

template <class W>
inline W read(const void* from) {
  W value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}

template <class W>
inline W low_ones(unsigned count) {
  return count == 8 * sizeof(W) ? ~W{0} : (W{1} << count) - 1;
}

inline void prefetch(const void* address) { __builtin_prefetch(address, 0, 3); }

/// Starts loading the beginning of a bucket; the hardware recognises the rest as a stream. REQUIRES bytes >
/// 0.
inline void prefetch_entries(const u8* from, u64 bytes) {
  constexpr u64 kLine = 64;
  constexpr u64 kMost = 8 * kLine;
  // Most buckets are in one or two cache lines, at random: two prefetches are faster than a decision.
  prefetch(from);
  prefetch(from + bytes - 1);
  for (u64 at = kLine; at + 1 < bytes && at < kMost; at += kLine) prefetch(from + at);
}

template <class W>
struct Probe {
  W base;          // the difference of an entry to this, in the bits that count
  u32 key, flip;   // flip: difference from the query's own key
  u32 begin, end;  // its bucket
  std::uint16_t query;
  u8 table;
  u8 distance;  // bits of `flip`
};

/// The place of a fingerprint in a table.
template <class W>
struct Place {
  u32 key;
  W value;
};

template <class Isa, class W>
Place<W> place_of(const ProbeTable& table, W fingerprint) {
  const u32 block = Isa::block(table, fingerprint);
  const W rest = Isa::rest(table, fingerprint);
  if (table.code == BucketCode::plain) return {block, rest};
  const u32 syndrome = Isa::syndrome(block);
  const u32 codeword = block ^ ((1u << syndrome) >> 1);
  return {Isa::information(codeword), rest | W{syndrome} << table.rest_bits};
}

template <class Isa, class F>
class Prober {
  using W = typename WordOf<F>::type;

 public:
  explicit Prober(ProbeGroup<F>& group) : group_(group) {}

  void run() {
    Probe<W> windows[3][kWindow];
    u32 filled = fill(windows[0]);
    u32 looked_up = 0;
    for (unsigned turn = 0; filled + looked_up > 0; ++turn) {
      const u32 compared = looked_up;
      looked_up = filled;
      look_up(windows[turn % 3], looked_up);
      filled = fill(windows[(turn + 1) % 3]);
      compare(windows[(turn + 2) % 3], compared);
    }
  }

 private:
  static constexpr u32 kWindow = 16;  // loads in progress at once

  [[nodiscard]] int radius(u32 table) const { return group_.exclusions[group_.before + table].radius; }

  u32 fill(Probe<W>* window) {
    u32 count = 0;
    for (; table_ < group_.table_count; ++table_, query_ = 0) {
      if (radius(table_) < 0) continue;
      if (query_ == 0 && flip_ == 0 && visit_ == 0) visits_ = order_visits();
      if (visits_ > 0) {
        for (; visit_ < visits_ && count < kWindow; ++visit_, ++count)
          window[count] = probe_of(group_.visits[visit_] >> 16, group_.visits[visit_] & 0xffff);
        if (count == kWindow) return count;
        visit_ = 0;
        continue;
      }
      for (; query_ < group_.query_count; ++query_, flip_ = 0) {
        if (group_.limits[query_] < 0) continue;
        count = group_.tables[table_].code == BucketCode::plain ? fill_plain(window, count)
                                                                : fill_hamming31(window, count);
        if (count == kWindow) return count;
      }
    }
    return count;
  }

  [[nodiscard]] u32 flips_of(u32 query) const {
    const int limit = group_.limits[query];
    const int most = radius(table_) < limit ? radius(table_) : limit;
    return most < 0 ? 0 : group_.tables[table_].flips_within[most];
  }

  // If most buckets of a table are visited, it is faster to visit them in their order: adjacent memory loads
  // several times as fast as random lines, and each bucket serves all its visits at once. Writes the visits
  // (query and number of flip) and returns their number; 0 if the usual order is as good.
  u32 order_visits() {
    const ProbeTable& table = group_.tables[table_];
    const auto key_bits = static_cast<unsigned>(Isa::ones(table.mask[0]) + Isa::ones(table.mask[1]));
    if (group_.visits == nullptr || group_.rule != HitRule::all || table.code != BucketCode::plain ||
        key_bits > kOrderedKeyBits)
      return 0;
    u64 visits = 0;
    for (u32 query = 0; query < group_.query_count; ++query) visits += flips_of(query);
    if (visits > kOrderedVisits || visits < (u64{1} << key_bits) / 4) return 0;
    u32* const begins = group_.begins;
    for (u32 key = 0; key <= 1u << key_bits; ++key) begins[key] = 0;
    for_each_visit([&](u32 key, u32) { ++begins[key + 1]; });
    for (u32 key = 0; key < 1u << key_bits; ++key) begins[key + 1] += begins[key];
    for_each_visit([&](u32 key, u32 visit) { group_.visits[begins[key]++] = visit; });
    return static_cast<u32>(visits);
  }

  template <class Fn>
  void for_each_visit(const Fn& fn) const {
    const ProbeTable& table = group_.tables[table_];
    for (u32 query = 0; query < group_.query_count; ++query) {
      const u32 own = Isa::block(table, read<W>(group_.queries + query));
      const u32 flips = flips_of(query);
      for (u32 flip = 0; flip < flips; ++flip) fn(own ^ table.flips[flip], query << 16 | flip);
    }
  }

  Probe<W> probe_of(u32 query_number, u32 flip_number) {
    const ProbeTable& table = group_.tables[table_];
    const W query = read<W>(group_.queries + query_number);
    const u32 flip = table.flips[flip_number];
    const u32 key = Isa::block(table, query) ^ flip;
    prefetch(table.directory + key);
    return {Isa::rest(table, query),
            key,
            flip,
            0,
            0,
            static_cast<std::uint16_t>(query_number),
            static_cast<u8>(table_),
            static_cast<u8>(__builtin_popcount(flip))};
  }

  // Adds the buckets of the current query from flip_ on. Leaves flip_ where it stopped. If a query's last
  // window happens to be full, the next call adds nothing.
  u32 fill_plain(Probe<W>* window, u32 count) {
    const u32 flips = flips_of(query_);
    for (; flip_ < flips && count < kWindow; ++flip_, ++count) window[count] = probe_of(query_, flip_);
    return count;
  }

  u32 fill_hamming31(Probe<W>* window, u32 count) {
    const ProbeTable& table = group_.tables[table_];
    const W query = read<W>(group_.queries + query_);
    const u32 block = Isa::block(table, query);
    const W rest = Isa::rest(table, query);
    const u32 syndrome = Isa::syndrome(block);
    const Hamming31Ball& ball = table.balls[syndrome];
    const u32 own = Isa::information(block);
    // The first word of a ball is the nearest codeword, whose bucket holds the query's own block.
    const u32 most = radius(table_) == 0 ? 1 : ball.count;
    for (; flip_ < most && count < kWindow; ++flip_, ++count) {
      const u32 key = own ^ ball.keys[flip_];
      const u32 difference = ball.words[flip_];
      window[count] = {rest | W{difference} << table.rest_bits,
                       key,
                       0,
                       0,
                       0,
                       static_cast<std::uint16_t>(query_),
                       static_cast<u8>(table_),
                       0};
      prefetch(table.directory + key);
    }
    return count;
  }

  void look_up(Probe<W>* window, u32 count) {
    for (u32 i = 0; i < count; ++i) {
      Probe<W>& probe = window[i];
      const ProbeTable& table = group_.tables[probe.table];
      probe.begin = table.directory[probe.key];
      probe.end = table.directory[probe.key + 1];
      if (probe.end - probe.begin > kSplitAbove && table.splits > 0 && pass_on(table, probe)) continue;
      if (probe.begin < probe.end)
        prefetch_entries(table.entries + u64{probe.begin} * table.entry_bytes,
                         u64{probe.end - probe.begin} * table.entry_bytes);
    }
  }

  // Leaves the bucket to its own tables, if it has them.
  bool pass_on(const ProbeTable& table, Probe<W>& probe) {
    u32 low = 0;
    for (u32 high = table.splits; low < high;) {
      const u32 middle = (low + high) / 2;
      if (table.split_keys[middle] < probe.key)
        low = middle + 1;
      else
        high = middle;
    }
    if (low == table.splits || table.split_keys[low] != probe.key) return false;
    probe.end = probe.begin;
    if (group_.split_count == group_.split_room) group_.drain_splits(group_);
    group_.split_probes[group_.split_count++] = {table.split_nodes[low], probe.query, probe.table};
    return true;
  }

  void compare(const Probe<W>* window, u32 count) {
    for (u32 i = 0; i < count; ++i) {
      const Probe<W>& probe = window[i];
      const int limit = group_.limits[probe.query] - probe.distance;
      if (limit < 0) continue;
      const ProbeTable& table = group_.tables[probe.table];
      const auto hit = [&](u32 position, W difference) { report(table, probe, position, difference); };
      if (table.code == BucketCode::plain)
        Isa::template scan<false>(table, probe, limit, hit);
      else
        Isa::template scan<true>(table, probe, limit, hit);
    }
  }

  static bool within(const Exclusion& exclusion, W difference) {
    int count = Isa::ones(static_cast<u64>(difference) & exclusion.mask[0]);
    if constexpr (sizeof(W) == 16) count += Isa::ones(static_cast<u64>(difference >> 64) & exclusion.mask[1]);
    return count <= exclusion.radius;
  }

  // `entry`: the difference of the stored value from the probe's base. A hit belongs to the first table that
  // can find it, so there are no repetitions to remove.
  void report(const ProbeTable& table, const Probe<W>& probe, u32 position, W entry) {
    const u32 block =
        table.code == BucketCode::plain ? probe.flip : static_cast<u32>(entry >> table.rest_bits);
    const W difference = Isa::unite(table, block, entry & low_ones<W>(table.rest_bits));
    const Exclusion* const own = group_.exclusions + group_.before + probe.table;
    if (table.code != BucketCode::plain && !within(*own, difference)) return;
    for (const Exclusion* e = group_.exclusions; e != own; ++e)
      if (within(*e, difference)) return;

    int distance = Isa::ones(static_cast<u64>(difference));
    if constexpr (sizeof(W) == 16) distance += Isa::ones(static_cast<u64>(difference >> 64));
    if (distance > group_.limits[probe.query]) return;  // lowered since the scan began
    if (group_.rule == HitRule::nearest) group_.limits[probe.query] = static_cast<std::int16_t>(distance);
    if (group_.rule == HitRule::any) group_.limits[probe.query] = -1;
    if (group_.hit_count == group_.hit_room) group_.drain_hits(group_);
    RawHit<F>& hit = group_.hits[group_.hit_count++];
    const W fingerprint = read<W>(group_.queries + probe.query) ^ difference;
    __builtin_memcpy(static_cast<void*>(&hit.fingerprint), &fingerprint, sizeof fingerprint);
    hit.position = group_.positions && probe.table == 0 ? position : kNoPosition;
    hit.query = probe.query;
    hit.distance = static_cast<std::uint16_t>(distance);
  }

  ProbeGroup<F>& group_;
  u32 table_ = 0, query_ = 0, flip_ = 0;
  u32 visits_ = 0, visit_ = 0;  // of this table, if they are made in the order of its buckets
};

template <class Isa, class F>
void search_loop(ProbeGroup<F>& group) {
  Prober<Isa, F>(group).run();
}

template <class W>
W entry_at(const ProbeTable& table, u32 position) {
  return read<W>(table.entries + u64{position} * table.entry_bytes) & low_ones<W>(table.value_bits);
}

template <class Isa, class F>
void locate_loop(const ProbeTable& table, const F* fingerprints, std::size_t count, u32* positions) {
  using W = typename WordOf<F>::type;
  Place<W> places[kLocateMost];
  for (std::size_t i = 0; i < count; ++i) {
    places[i] = place_of<Isa>(table, read<W>(fingerprints + i));
    prefetch(table.directory + places[i].key);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const u32 begin = table.directory[places[i].key];
    const u32 end = table.directory[places[i].key + 1];
    if (begin < end)
      prefetch_entries(table.entries + u64{begin} * table.entry_bytes, u64{end - begin} * table.entry_bytes);
  }
  for (std::size_t i = 0; i < count; ++i) {
    u32 low = table.directory[places[i].key];
    const u32 end = table.directory[places[i].key + 1];
    for (u32 high = end; low < high;) {
      const u32 middle = low + (high - low) / 2;
      if (entry_at<W>(table, middle) < places[i].value)
        low = middle + 1;
      else
        high = middle;
    }
    positions[i] = low < end && entry_at<W>(table, low) == places[i].value ? low : kNoPosition;
  }
}

// Tests one entry after another, for instruction sets that count bits word by word.
template <bool kCoded, class Isa, class W, class Hit>
void scan_words(const ProbeTable& table, const Probe<W>& probe, int limit, const Hit& hit) {
  const W mask = low_ones<W>(table.value_bits);
  const u8* entry = table.entries + u64{probe.begin} * table.entry_bytes;
  for (u32 i = probe.begin; i < probe.end; ++i, entry += table.entry_bytes) {
    W value = read<W>(entry) & mask;
    if constexpr (kCoded) {
      const auto syndrome = static_cast<u32>(value >> table.rest_bits);
      value = (value & low_ones<W>(table.rest_bits)) | W{(1u << syndrome) >> 1} << table.rest_bits;
    }
    const W difference = value ^ probe.base;
    int count = Isa::ones(static_cast<u64>(difference));
    if constexpr (sizeof(W) == 16) count += Isa::ones(static_cast<u64>(difference >> 64));
    if (count <= limit) [[unlikely]]
      hit(i, difference);
  }
}

template <class Isa, class F>
constexpr ProbeKernels<F> kProbeKernels{search_loop<Isa, F>, locate_loop<Isa, F>};

}  // namespace
}  // namespace leitong::hamming
