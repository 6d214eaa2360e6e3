#include "index/rarity_join.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/radix_sort.hpp"

namespace leitong {
namespace {

using Entries = PodVector<std::uint64_t>;

// An entry: 32 bits of the key (8 more are the partition's number) and the document. Two keys that agree in
// these 40 bits but differ make a false candidate once in 2^40 pairs of entries, which verification refuses.
constexpr std::uint64_t entry(std::uint64_t key, DocId document) {
  return (key << 8 & ~0xffffffffULL) | document;
}
constexpr unsigned entry_partition(std::uint64_t key) { return static_cast<unsigned>(key >> 56); }
constexpr std::uint32_t entry_key(std::uint64_t e) { return static_cast<std::uint32_t>(e >> 32); }
constexpr DocId entry_document(std::uint64_t e) { return static_cast<DocId>(e); }

// The evidence of a pair: the document frequency of a shared key, or this for a hot key's leader.
constexpr std::uint8_t kStar = 255;

// Weights are integers, so that sums don't depend on the order in which threads add them.
constexpr double kOne = 256;
const auto kWeight = [] {
  std::array<std::uint32_t, RarityJoin::kHot + 1> weight{};
  for (std::uint32_t df = 1; df <= RarityJoin::kHot; ++df)
    weight[df] = static_cast<std::uint32_t>(std::lround(kOne / std::sqrt(df)));
  return weight;
}();

// Keys of 2..3, 4..7, .. 32..63 and 64 documents: the grain of the weighted prefix.
constexpr unsigned kClasses = 6;
constexpr unsigned frequency_class(std::uint32_t df) { return static_cast<unsigned>(std::bit_width(df)) - 2; }

// hot_share_ from which a document counts as one of common keys.
const auto kHotFrom = static_cast<std::uint8_t>(std::ceil(255 * RarityJoin::kHotDocument));

// The smaller content hash leads, like the leaders of hot keys: a pair lies with the one that is led.
template <class Content>
bool leads(const Content& content, DocId x, DocId y) {
  return std::pair(content[x], x) < std::pair(content[y], y);
}

void add_relaxed(std::uint32_t& sum, std::uint32_t value) {
  std::atomic_ref<std::uint32_t>(sum).fetch_add(value, std::memory_order_relaxed);
}

// Calls each(begin, end) for every run of entries with one key.
template <class Each>
Result<void> for_each_key(const Entries& entries, Each each) {
  for (std::size_t i = 0; i < entries.size();) {
    std::size_t j = i + 1;
    while (j < entries.size() && entry_key(entries[j]) == entry_key(entries[i])) ++j;
    LEITONG_TRY(each(i, j));
    i = j;
  }
  return {};
}

struct SortSpace {
  Entries entries, scratch;
};

}  // namespace

RarityJoin::RarityJoin(const Tiers& tiers, const DocumentTable& table, MemoryBudget& budget,
                       const WorkFolder& work)
    : tiers_(tiers),
      table_(table),
      budget_(budget),
      work_(work),
      tier_{Tier(budget, work), Tier(budget, work)} {}

Result<void> RarityJoin::add(DocId document, std::array<std::span<const std::uint64_t>, kTiers> keys) {
  ++figures_.documents;
  for (unsigned t = 0; t < kTiers; ++t) {
    figures_.keys += keys[t].size();
    for (const std::uint64_t key : keys[t])
      LEITONG_TRY(tier_[t].writer.append(entry_partition(key), entry(key, document)));
  }
  return {};
}

// Sorts every partition, sums the rarity of each document's keys, separates hot keys and drops those of one
// document.
Result<void> RarityJoin::weigh(Tier& tier) {
  const std::size_t documents = table_.units.size();
  tier.rarity.resize(documents, 0);
  PodVector<std::uint32_t> all, hot, by_class;
  all.resize(documents, 0);
  hot.resize(documents, 0);
  by_class.resize(documents * kClasses, 0);
  std::atomic<std::uint64_t> shared_keys{0}, hot_keys{0}, hot_entries{0};

  auto weigh_partition = [&](std::size_t partition, SortSpace& space) -> Result<void> {
    Entries& entries = space.entries;
    LEITONG_TRY(tier.entries.take(static_cast<unsigned>(partition), entries));
    radix_sort(entries, space.scratch, 32, 64, [](std::uint64_t e) { return e; });
    Entries& hot_ones = space.scratch;
    hot_ones.clear();
    std::size_t kept = 0;
    std::uint64_t shared = 0, hot_groups = 0;
    auto weigh_key = [&](std::size_t begin, std::size_t end) -> Result<void> {
      // Documents of a key ascend, since they were added in order; a document that holds it twice counts
      // once.
      const auto first = entries.begin() + begin;
      const auto last = std::unique(first, entries.begin() + end);
      const auto df = static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(last - first, UINT32_MAX));
      for (auto e = first; e != last; ++e) add_relaxed(all[entry_document(*e)], 1);
      if (df > kHot) {
        ++hot_groups;
        for (auto e = first; e != last; ++e) add_relaxed(hot[entry_document(*e)], 1);
        hot_ones.append({first, last});
        return {};
      }
      for (auto e = first; e != last; ++e) add_relaxed(tier.rarity[entry_document(*e)], kWeight[df]);
      if (df == 1) return {};
      ++shared;
      for (auto e = first; e != last; ++e)
        add_relaxed(by_class[entry_document(*e) * kClasses + frequency_class(df)], kWeight[df]);
      std::copy(first, last, entries.begin() + kept);
      kept += df;
      return {};
    };
    LEITONG_TRY(for_each_key(entries, weigh_key));
    shared_keys += shared;
    hot_keys += hot_groups;
    hot_entries += hot_ones.size();
    LEITONG_TRY(tier.entries.put(static_cast<unsigned>(partition), {entries.data(), kept}));
    return tier.hot.put(static_cast<unsigned>(partition), hot_ones);
  };
  LEITONG_TRY(parallel_for_each(
      Partitions::kCount, [] { return SortSpace(); }, weigh_partition));

  tier.last_class.resize(documents, 0);
  hot_share_.resize(documents, 0);
  for (std::size_t d = 0; d < documents; ++d) {
    const auto spare = static_cast<std::uint64_t>(kPrefix * tier.rarity[d]);
    std::uint64_t left_out = 0;
    unsigned last = kClasses - 1;
    while (last > 0 && left_out + by_class[d * kClasses + last] <= spare)
      left_out += by_class[d * kClasses + last--];
    tier.last_class[d] = static_cast<std::uint8_t>(last);
    if (all[d] > 0)
      hot_share_[d] = std::max(hot_share_[d], static_cast<std::uint8_t>(255ull * hot[d] / all[d]));
  }
  figures_.shared_keys += shared_keys;
  figures_.hot_keys += hot_keys;
  figures_.hot_entries += hot_entries;
  return {};
}

Result<void> RarityJoin::emit_shared(unsigned t, PairBag& pairs) {
  Tier& tier = tier_[t];
  std::atomic<std::uint64_t> raw{0};
  auto emit_partition = [&](std::size_t partition, Entries& entries) -> Result<void> {
    LEITONG_TRY(tier.entries.take(static_cast<unsigned>(partition), entries));
    PairBag::Writer writer = pairs.local_writer();
    std::uint64_t emitted = 0;
    auto emit_key = [&](std::size_t begin, std::size_t end) -> Result<void> {
      const auto df = static_cast<std::uint8_t>(end - begin);
      const unsigned cls = frequency_class(df);
      for (std::size_t x = begin; x < end; ++x) {
        const DocId a = entry_document(entries[x]);
        const bool a_emits = cls <= tier.last_class[a];
        for (std::size_t y = x + 1; y < end; ++y) {
          const DocId b = entry_document(entries[y]);
          if ((!a_emits && cls > tier.last_class[b]) || !meet_in(t, a, b)) continue;
          LEITONG_TRY(leads(table_.content, a, b) ? writer.add(b, a, df) : writer.add(a, b, df));
          ++emitted;
        }
      }
      return {};
    };
    LEITONG_TRY(for_each_key(entries, emit_key));
    raw += emitted;
    return {};
  };
  LEITONG_TRY(parallel_for_each(
      Partitions::kCount, [] { return Entries(); }, emit_partition));
  figures_.raw_pairs += raw;
  return {};
}

template <class Skip>
Result<void> RarityJoin::emit_stars(unsigned t, PairBag& pairs, Skip skip) {
  std::atomic<std::uint64_t> stars{0};
  auto emit_partition = [&](std::size_t partition, Entries& entries) -> Result<void> {
    LEITONG_TRY(tier_[t].hot.load(static_cast<unsigned>(partition), entries));
    PairBag::Writer writer = pairs.local_writer();
    std::uint64_t emitted = 0;
    auto emit = [&](DocId d, DocId leader) -> Result<void> {
      // Nobody leads himself, nor the second the first.
      if (!leads(table_.content, leader, d) || !meet_in(t, d, leader)) return {};
      ++emitted;
      return writer.add(d, leader, kStar);
    };
    auto emit_key = [&](std::size_t begin, std::size_t end) -> Result<void> {
      DocId first = kNoDocument, second = kNoDocument;
      auto precedes = [&](DocId x, DocId y) { return y == kNoDocument || leads(table_.content, x, y); };
      for (std::size_t x = begin; x < end; ++x) {
        const DocId d = entry_document(entries[x]);
        if (skip(d)) continue;
        if (precedes(d, first)) {
          second = std::exchange(first, d);
        } else if (precedes(d, second)) {
          second = d;
        }
      }
      if (second == kNoDocument) return {};
      for (std::size_t x = begin; x < end; ++x) {
        const DocId d = entry_document(entries[x]);
        if (skip(d)) continue;
        LEITONG_TRY(emit(d, first));
        LEITONG_TRY(emit(d, second));
      }
      return {};
    };
    LEITONG_TRY(for_each_key(entries, emit_key));
    stars += emitted;
    return {};
  };
  LEITONG_TRY(parallel_for_each(
      Partitions::kCount, [] { return Entries(); }, emit_partition));
  figures_.star_pairs += stars;
  return {};
}

// Sums the evidence of each pair and offers those that share enough.
Result<void> RarityJoin::offer_candidates(PairBag& pairs, CandidateSink& sink, const Reachable& reachable) {
  std::atomic<std::uint64_t> offered{0};
  auto judge = [&](DocId a, DocId b, std::span<const std::uint64_t> evidence) -> std::optional<Candidate> {
    const auto [shorter, longer] = table_.units[a] <= table_.units[b] ? std::pair(a, b) : std::pair(b, a);
    const std::uint32_t m = table_.units[shorter], n = table_.units[longer];
    std::uint32_t shared = 0, stars = 0;
    for (const std::uint64_t e : evidence) {
      const auto df = static_cast<std::uint8_t>(e);
      if (df == kStar)
        ++stars;
      else
        shared += kWeight[df];
    }
    const unsigned t = n < tiers_.short_below ? 0 : 1;
    const double poorer = std::min(tier_[t].rarity[shorter] * tiers_.comparable_share(m, n),
                                   static_cast<double>(tier_[t].rarity[longer]));
    const double share = shared / std::max(poorer, 1.0);
    if (share < kShare[t] && stars < kHotShare * std::max(1.0, tiers_.expected_keys(m, n)))
      return std::nullopt;
    if (!reachable(m, n)) return std::nullopt;  // last: it is dear, and few pairs come so far
    offered.fetch_add(1, std::memory_order_relaxed);
    const double own = is_hot(a) && is_hot(b) ? kOwnShare : kShare[t];
    return Candidate{std::min(a, b), std::max(a, b), static_cast<float>(std::min(share, 1.0)), share < own};
  };
  LEITONG_ASSIGN(const std::uint64_t distinct, pairs.drain(sink, judge));
  figures_.distinct_pairs += distinct;
  figures_.candidates += offered;
  return sink.flush();
}

bool RarityJoin::is_hot(DocId document) const noexcept { return hot_share_[document] >= kHotFrom; }

std::uint64_t RarityJoin::count_hot_unmatched(const CandidateSink& sink) const {
  std::uint64_t count = 0;
  for (std::size_t d = 0; d < hot_share_.size(); ++d)
    count += is_hot(static_cast<DocId>(d)) && !sink.matched(static_cast<DocId>(d));
  return count;
}

Result<void> RarityJoin::find(CandidateSink& sink, const Reachable& reachable) {
  PairBag pairs(table_.units.size(), budget_, work_);
  for (unsigned t = 0; t < kTiers; ++t) {
    LEITONG_TRY(tier_[t].writer.flush());
    LEITONG_TRY(weigh(tier_[t]));
    LEITONG_TRY(emit_shared(t, pairs));
    LEITONG_TRY(emit_stars(t, pairs, [](DocId) { return false; }));
    tier_[t].last_class = PodVector<std::uint8_t>();
  }
  LEITONG_TRY(offer_candidates(pairs, sink, reachable));

  figures_.hot_unmatched = count_hot_unmatched(sink);
  for (int round = 1; round < kRounds && figures_.hot_unmatched > 1; ++round) {
    const std::uint64_t before = figures_.hot_unmatched;
    for (unsigned t = 0; t < kTiers; ++t)
      LEITONG_TRY(emit_stars(t, pairs, [&](DocId d) { return !is_hot(d) || sink.matched(d); }));
    LEITONG_TRY(offer_candidates(pairs, sink, reachable));
    figures_.hot_unmatched = count_hot_unmatched(sink);
    if (figures_.hot_unmatched == before) break;
  }
  return {};
}

}  // namespace leitong
