#include "index/overlap_join.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "index/key_entries.hpp"
#include "similarity/intersect.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {
namespace {

// The evidence of a pair: a shared key that is not hot, or enough hot keys.
constexpr std::uint8_t kKey = 0, kWalked = 1;

// The working space of a thread that walks along the lists of hot keys.
struct WalkSpace {
  explicit WalkSpace(std::size_t documents) { counts.resize(documents, 0); }
  PodVector<std::uint16_t> counts;  // by rank; a walk meets fewer than 2^16 keys
  std::vector<std::uint32_t> touched;
};
static_assert(OverlapJoin::kWalk / OverlapJoin::kHot < UINT16_MAX);

}  // namespace

// The hot keys of one partition, in the order of the keys.
struct OverlapJoin::HotGroups {
  PodVector<DocId> holders;
  PodVector<std::uint32_t> sizes;
};

// The holders of each hot key, and the hot keys of each document. Keys are numbered from the rarest.
// Documents are ranked by the number of shingles that their keys represent, so that later ones are larger.
struct OverlapJoin::HotKeys {
  PodVector<std::uint64_t> begin;       // begin of each key's holders, and the end
  PodVector<std::uint32_t> holders;     // ranks, ascending
  PodVector<std::uint64_t> list_begin;  // begin of each document's keys, and the end
  PodVector<std::uint32_t> lists;       // keys, ascending
  PodVector<DocId> order;               // documents by rank
  PodVector<std::uint32_t> rank;        // rank of each document, the inverse of `order`
  PodVector<std::uint8_t> window;       // by rank: the logarithm of the document's window

  [[nodiscard]] std::span<const std::uint32_t> holders_of(std::uint32_t key) const {
    return {holders.data() + begin[key], begin[key + 1] - begin[key]};
  }
  [[nodiscard]] std::span<const std::uint32_t> keys_of(DocId document) const {
    return {lists.data() + list_begin[document], list_begin[document + 1] - list_begin[document]};
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return 8 * (begin.size() + list_begin.size()) + 4 * (holders.size() + lists.size() + 2 * order.size()) +
           window.size();
  }
};

OverlapJoin::OverlapJoin(Window window, const DocumentTable& table, RunContext& run)
    : window_(window),
      table_(table),
      run_(run),
      entries_(run),
      long_entries_(run),
      writer_(entries_),
      long_writer_(long_entries_) {}

Result<void> OverlapJoin::add(DocId document, std::span<const std::uint64_t> keys,
                              std::span<const std::uint64_t> long_keys) {
  figures_.keys += keys.size();
  figures_.long_keys += long_keys.size();
  keys_.resize(document, 0);
  keys_.push_back(static_cast<std::uint32_t>(keys.size()));
  for (const std::uint64_t key : keys)
    LEITONG_TRY(writer_.append(entry_partition(key), entry(key, document)));
  for (const std::uint64_t key : long_keys)
    LEITONG_TRY(long_writer_.append(entry_partition(key), entry(key, document)));
  return {};
}

Result<void> OverlapJoin::add_pair(PairBag::Writer& writer, DocId x, DocId y, std::uint8_t evidence) const {
  // The home does not depend on the order of the documents, and no document is home to all of its pairs.
  const bool x_first = std::pair(table_.content[x], x) < std::pair(table_.content[y], y);
  return writer.add(x_first ? y : x, x_first ? x : y, evidence);
}

// Calls each(partition, holders, writer) for every key, with the entries of its documents, ascending.
template <class Each>
Result<void> OverlapJoin::for_each_key(Partitions& all, PairBag& pairs, Each each) {
  const auto group_partition = [&](std::size_t partition, SortSpace& space) -> Result<void> {
    Entries& entries = space.entries;
    LEITONG_TRY(all.take(static_cast<unsigned>(partition), entries));
    space.sort();
    PairBag::Writer writer = pairs.local_writer();
    for (std::size_t i = 0, end; i < entries.size(); i = end) {
      for (end = i + 1; end < entries.size() && entry_key(entries[end]) == entry_key(entries[i]);) ++end;
      LEITONG_TRY(each(partition, std::span(entries.data() + i, end - i), writer));
    }
    return {};
  };
  return parallel_for_each(
      run_.stop, Partitions::kCount, [] { return SortSpace(); }, group_partition);
}

// Emits the pairs of the keys that are not hot; returns the hot keys, one element for each partition.
Result<std::vector<OverlapJoin::HotGroups>> OverlapJoin::group(PairBag& pairs) {
  std::vector<HotGroups> hot(Partitions::kCount);
  std::atomic<std::uint64_t> shared{0}, raw{0};
  const auto emit = [&](std::size_t partition, std::span<std::uint64_t> holders,
                        PairBag::Writer& writer) -> Result<void> {
    // Documents were added in order, so the entries of a document that holds the key twice are adjacent.
    std::size_t distinct = 1;
    for (std::size_t i = 1; i < holders.size(); ++i) {
      if (holders[i] != holders[distinct - 1])
        holders[distinct++] = holders[i];
      else
        std::atomic_ref(keys_[entry_document(holders[i])]).fetch_sub(1, std::memory_order_relaxed);
    }
    holders = holders.first(distinct);
    if (distinct > kHot) {
      hot[partition].sizes.push_back(static_cast<std::uint32_t>(distinct));
      for (const std::uint64_t e : holders) hot[partition].holders.push_back(entry_document(e));
      return {};
    }
    if (distinct == 1) return {};
    for (std::size_t x = 1; x < distinct; ++x)
      for (std::size_t y = 0; y < x; ++y)
        LEITONG_TRY(add_pair(writer, entry_document(holders[x]), entry_document(holders[y]), kKey));
    shared.fetch_add(1, std::memory_order_relaxed);
    raw.fetch_add(distinct * (distinct - 1) / 2, std::memory_order_relaxed);
    return {};
  };
  LEITONG_TRY(for_each_key(entries_, pairs, emit));
  figures_.shared_keys = shared;
  figures_.raw_pairs += raw;
  for (const HotGroups& group : hot) {
    figures_.hot_keys += group.sizes.size();
    figures_.hot_entries += group.holders.size();
  }
  return hot;
}

Result<OverlapJoin::HotKeys> OverlapJoin::list(std::span<HotGroups> groups) {
  const std::size_t documents = table_.units.size();
  const std::uint64_t needed = 8 * figures_.hot_entries + 17 * documents + 16 * figures_.hot_keys;
  if (run_.memory.limit() != 0 && needed > run_.memory.for_buffers())
    return fail(ErrorCode::limit,
                "the memory budget has no room for the keys that many documents share: " +
                    std::to_string((needed >> 20) + 1) +
                    " MB beside the rest; a higher threshold needs none of them",
                "memory");
  HotKeys hot;
  hot.order.resize_for_overwrite(documents);
  std::iota(hot.order.begin(), hot.order.end(), DocId{0});
  const auto place = [&](DocId d) {
    return std::tuple(std::uint64_t{keys_[d]} * (window_(table_.units[d]) + 1), table_.content[d], d);
  };
  std::sort(hot.order.begin(), hot.order.end(), [&](DocId x, DocId y) { return place(x) < place(y); });
  hot.rank.resize_for_overwrite(documents);
  for (std::uint32_t r = 0; r < documents; ++r) {
    hot.rank[hot.order[r]] = r;
    hot.window.push_back(static_cast<std::uint8_t>(std::countr_zero(window_(table_.units[hot.order[r]]))));
  }

  struct Key {
    std::uint32_t size;
    const DocId* holders;
  };
  std::vector<Key> keys;
  keys.reserve(figures_.hot_keys);
  for (const HotGroups& group : groups) {
    const DocId* at = group.holders.data();
    for (const std::uint32_t size : group.sizes) {
      keys.push_back({size, at});
      at += size;
    }
  }
  // Stable: keys of one rarity keep their order, which does not depend on the documents.
  std::ranges::stable_sort(keys, {}, &Key::size);
  hot.begin.resize(1, 0);
  hot.list_begin.resize(documents + 1, 0);
  for (const Key& key : keys) {
    for (std::uint32_t i = 0; i < key.size; ++i) {
      hot.holders.push_back(hot.rank[key.holders[i]]);
      ++hot.list_begin[key.holders[i] + 1];
    }
    std::sort(hot.holders.end() - key.size, hot.holders.end());
    hot.begin.push_back(hot.holders.size());
  }
  std::partial_sum(hot.list_begin.begin(), hot.list_begin.end(), hot.list_begin.begin());
  hot.lists.resize_for_overwrite(hot.holders.size());
  PodVector<std::uint64_t> next;
  next.append(hot.list_begin);
  for (std::uint32_t key = 0; key < keys.size(); ++key)
    for (std::uint32_t i = 0; i < keys[key].size; ++i) hot.lists[next[keys[key].holders[i]]++] = key;
  for (HotGroups& group : groups) group = {};
  return hot;
}

// Counts along the lists of each document whose hot keys may be enough, and emits the pairs with larger
// documents that share enough of them.
Result<void> OverlapJoin::walk(const HotKeys& hot, const Needed& needed, PairBag& pairs) {
  constexpr unsigned kWindows = 32;
  // For each window, the fewest units of a document with it.
  std::array<std::uint32_t, kWindows> units_of;
  units_of.fill(UINT32_MAX);
  const std::size_t documents = hot.order.size();
  for (std::uint32_t r = 0; r < documents; ++r) {
    std::uint32_t& units = units_of[hot.window[r]];
    units = std::min(units, table_.units[hot.order[r]]);
  }
  std::atomic<std::uint64_t> limited{0}, walked{0}, raw{0};
  const auto walk_from = [&](std::size_t rank, WalkSpace& space) -> Result<void> {
    const DocId d = hot.order[rank];
    const std::span<const std::uint32_t> keys = hot.keys_of(d);
    const std::uint32_t units = table_.units[d], all = keys_[d];
    const unsigned own = hot.window[rank];
    // The least number that a partner of each window needs, so that needed() is called only for a few.
    std::array<double, kWindows> floors;
    floors.fill(std::numeric_limits<double>::infinity());
    for (unsigned w = own; w < kWindows; ++w) {
      if (units_of[w] == UINT32_MAX) continue;
      const std::uint64_t thinned = std::uint64_t{all} * ((1ull << own) + 1) / ((1ull << w) + 1);
      floors[w] = needed(units, all, std::max(units, units_of[w]), static_cast<std::uint32_t>(thinned));
    }
    if (static_cast<double>(keys.size()) < *std::ranges::min_element(floors)) return {};
    std::uint64_t places = 0;
    for (const std::uint32_t key : keys) {
      const auto holders = hot.holders_of(key);
      const auto larger = std::upper_bound(holders.begin(), holders.end(), static_cast<std::uint32_t>(rank));
      const auto count = static_cast<std::uint64_t>(holders.end() - larger);
      if (places + count > kWalk) {
        limited.fetch_add(1, std::memory_order_relaxed);
        break;
      }
      places += count;
      for (auto other = larger; other != holders.end(); ++other)
        if (space.counts[*other]++ == 0) space.touched.push_back(*other);
    }
    walked.fetch_add(places, std::memory_order_relaxed);
    PairBag::Writer writer = pairs.local_writer();
    std::uint64_t emitted = 0;
    for (const std::uint32_t other : space.touched) {
      const auto count = static_cast<double>(std::exchange(space.counts[other], std::uint16_t{0}));
      const DocId partner = hot.order[other];
      if (count < floors[std::max<unsigned>(own, hot.window[other])] || count < needed_of(needed, d, partner))
        continue;
      LEITONG_TRY(add_pair(writer, d, partner, kWalked));
      ++emitted;
    }
    space.touched.clear();
    raw.fetch_add(emitted, std::memory_order_relaxed);
    return {};
  };
  LEITONG_TRY(parallel_for_each(
      run_.stop, documents, [&] { return WalkSpace(documents); }, walk_from));
  figures_.limited = limited;
  figures_.walked = walked;
  figures_.raw_pairs += raw;
  return {};
}

double OverlapJoin::needed_of(const Needed& needed, DocId x, DocId y) const {
  if (table_.units[x] > table_.units[y]) std::swap(x, y);
  return needed(table_.units[x], keys_[x], table_.units[y], keys_[y]);
}

Result<void> OverlapJoin::offer(PairBag& pairs, const HotKeys& hot, const Needed& needed,
                                CandidateSink& sink) {
  const auto judge = [&](DocId x, DocId y,
                         std::span<const std::uint64_t> evidence) -> std::optional<Candidate> {
    const auto walked = static_cast<std::size_t>(
        std::ranges::count(evidence, kWalked, [](std::uint64_t e) { return static_cast<std::uint8_t>(e); }));
    std::size_t shared = evidence.size() - walked;
    const auto hot_x = hot.keys_of(x), hot_y = hot.keys_of(y);
    const double enough = needed_of(needed, x, y);
    if (static_cast<double>(shared + std::min(hot_x.size(), hot_y.size())) < enough) return std::nullopt;
    shared += intersection_size(hot_x, hot_y);
    if (static_cast<double>(shared) < enough) return std::nullopt;
    Candidate candidate{std::min(x, y), std::max(x, y)};
    // The score is the share of the keys that they would have in common if the larger document contained the
    // smaller one.
    const double wx = window_(table_.units[x]) + 1, wy = window_(table_.units[y]) + 1;
    const double all = std::min(keys_[x] * wx, keys_[y] * wy) / std::max(wx, wy);
    candidate.score = static_cast<float>(std::min(1.0, static_cast<double>(shared) / std::max(all, 1.0)));
    return candidate;
  };
  LEITONG_ASSIGN(figures_.distinct_pairs, pairs.drain(sink, judge, [&](DocId other) {
    __builtin_prefetch(&keys_[other]);
    __builtin_prefetch(&table_.units[other]);
    __builtin_prefetch(&hot.list_begin[other]);
  }));
  return sink.flush();
}

Result<void> OverlapJoin::find(CandidateSink& sink, const Needed& needed) {
  keys_.resize(table_.units.size(), 0);
  LEITONG_TRY(writer_.flush());
  PairBag pairs(table_.units.size(), run_);
  LEITONG_ASSIGN(std::vector<HotGroups> groups, group(pairs));
  LEITONG_ASSIGN(const HotKeys hot, list(groups));
  run_.memory.hold(hot.bytes());
  Result<void> done = walk(hot, needed, pairs);
  if (done) done = offer(pairs, hot, needed, sink);
  run_.memory.release(hot.bytes());
  return done;
}

Result<void> OverlapJoin::find_passages(CandidateSink& sink, std::span<const DocId> family) {
  LEITONG_TRY(long_writer_.flush());
  PairBag pairs(table_.units.size(), run_);
  std::atomic<std::uint64_t> templates{0}, hot{0};
  const auto emit = [&](std::size_t, std::span<std::uint64_t> entries,
                        PairBag::Writer& writer) -> Result<void> {
    const std::span holders(entries.begin(), std::unique(entries.begin(), entries.end()));
    if (holders.size() == 1) return {};
    if (!family.empty() && holders.size() >= TemplateRule::kFamilies) {
      std::vector<DocId> families;
      families.reserve(holders.size());
      for (const std::uint64_t e : holders) families.push_back(family[entry_document(e)]);
      std::ranges::sort(families);
      const auto end = std::ranges::unique(families).begin();
      if (is_template(static_cast<std::uint64_t>(end - families.begin()), holders.size())) {
        templates.fetch_add(1, std::memory_order_relaxed);
        return {};
      }
    }
    if (holders.size() > kHotLong) {
      hot.fetch_add(1, std::memory_order_relaxed);
      return {};
    }
    for (std::size_t x = 1; x < holders.size(); ++x)
      for (std::size_t y = 0; y < x; ++y) {
        const DocId a = entry_document(holders[x]), b = entry_document(holders[y]);
        if (family.empty() || family[a] != family[b]) LEITONG_TRY(add_pair(writer, a, b, kKey));
      }
    return {};
  };
  LEITONG_TRY(for_each_key(long_entries_, pairs, emit));
  figures_.template_long_keys = templates;
  figures_.hot_long_keys = hot;
  const auto judge = [](DocId x, DocId y, std::span<const std::uint64_t>) {
    Candidate candidate{std::min(x, y), std::max(x, y)};
    candidate.passage = true;
    return std::optional(candidate);
  };
  LEITONG_ASSIGN(const std::uint64_t distinct, pairs.drain(sink, judge, [](DocId) {}));
  figures_.distinct_pairs += distinct;
  return sink.flush();
}

}  // namespace leitong
