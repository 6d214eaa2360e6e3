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

// A pair with one piece of evidence: a relative to its partition (24 bits), b (32), the key's document
// frequency (8), or kStar.
constexpr std::uint64_t kStar = 255;
constexpr std::uint64_t kPartitionDocuments = 1ull << 24;

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

void add_relaxed(std::uint32_t& sum, std::uint32_t value) {
  std::atomic_ref<std::uint32_t>(sum).fetch_add(value, std::memory_order_relaxed);
}

// Calls each(begin, end) for every run of entries with one key.
template <class Each>
void for_each_key(const Entries& entries, Each each) {
  for (std::size_t i = 0; i < entries.size();) {
    std::size_t j = i + 1;
    while (j < entries.size() && entry_key(entries[j]) == entry_key(entries[i])) ++j;
    each(i, j);
    i = j;
  }
}

struct SortSpace {
  Entries entries, scratch;
};

Result<void> flush_all(tbb::enumerable_thread_specific<Partitions::Writer>& writers) {
  for (Partitions::Writer& writer : writers) LEITONG_TRY(writer.flush());
  return {};
}

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
    for_each_key(entries, [&](std::size_t begin, std::size_t end) {
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
        return;
      }
      for (auto e = first; e != last; ++e) add_relaxed(tier.rarity[entry_document(*e)], kWeight[df]);
      if (df == 1) return;
      ++shared;
      for (auto e = first; e != last; ++e)
        add_relaxed(by_class[entry_document(*e) * kClasses + frequency_class(df)], kWeight[df]);
      std::copy(first, last, entries.begin() + kept);
      kept += df;
    });
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

Result<void> RarityJoin::emit_shared(unsigned t, Partitions& pairs) {
  Tier& tier = tier_[t];
  tbb::enumerable_thread_specific<Partitions::Writer> writers([&] { return Partitions::Writer(pairs); });
  std::atomic<std::uint64_t> raw{0};
  auto emit_partition = [&](std::size_t partition, Entries& entries) -> Result<void> {
    LEITONG_TRY(tier.entries.take(static_cast<unsigned>(partition), entries));
    Partitions::Writer& writer = writers.local();
    std::uint64_t emitted = 0;
    for (std::size_t i = 0; i < entries.size();) {
      std::size_t j = i + 1;
      while (j < entries.size() && entry_key(entries[j]) == entry_key(entries[i])) ++j;
      const std::uint64_t df = j - i;
      const unsigned cls = frequency_class(static_cast<std::uint32_t>(df));
      for (std::size_t x = i; x < j; ++x) {
        const DocId a = entry_document(entries[x]);
        const bool emits = cls <= tier.last_class[a];
        const bool a_is_short = table_.units[a] < tiers_.short_below;
        const std::uint64_t head = (a & ((1ull << pair_shift_) - 1)) << 40 | df;
        for (std::size_t y = x + 1; y < j; ++y) {
          const DocId b = entry_document(entries[y]);
          if (!emits && cls > tier.last_class[b]) continue;
          if (t == 1 && a_is_short && table_.units[b] < tiers_.short_below) continue;  // they meet in tier 0
          LEITONG_TRY(writer.append(a >> pair_shift_, head | static_cast<std::uint64_t>(b) << 8));
          ++emitted;
        }
      }
      i = j;
    }
    raw += emitted;
    return {};
  };
  LEITONG_TRY(parallel_for_each(
      Partitions::kCount, [] { return Entries(); }, emit_partition));
  figures_.raw_pairs += raw;
  return flush_all(writers);
}

template <class Skip>
Result<void> RarityJoin::emit_stars(unsigned t, Partitions& pairs, Skip skip) {
  tbb::enumerable_thread_specific<Partitions::Writer> writers([&] { return Partitions::Writer(pairs); });
  std::atomic<std::uint64_t> stars{0};
  auto emit = [&](Partitions::Writer& writer, DocId a, DocId b) -> Result<void> {
    if (a == b || (t == 1 && std::max(table_.units[a], table_.units[b]) < tiers_.short_below)) return {};
    if (a > b) std::swap(a, b);
    stars.fetch_add(1, std::memory_order_relaxed);
    return writer.append(a >> pair_shift_, (a & ((1ull << pair_shift_) - 1)) << 40 |
                                               static_cast<std::uint64_t>(b) << 8 | kStar);
  };
  auto emit_partition = [&](std::size_t partition, Entries& entries) -> Result<void> {
    LEITONG_TRY(tier_[t].hot.load(static_cast<unsigned>(partition), entries));
    Partitions::Writer& writer = writers.local();
    for (std::size_t i = 0; i < entries.size();) {
      std::size_t j = i;
      DocId first = kNoDocument, second = kNoDocument;
      auto leads = [&](DocId x, DocId y) {
        return y == kNoDocument || table_.content[x] < table_.content[y];
      };
      for (; j < entries.size() && entry_key(entries[j]) == entry_key(entries[i]); ++j) {
        const DocId d = entry_document(entries[j]);
        if (skip(d)) continue;
        if (leads(d, first)) {
          second = first;
          first = d;
        } else if (leads(d, second)) {
          second = d;
        }
      }
      if (second != kNoDocument)
        for (std::size_t x = i; x < j; ++x) {
          const DocId d = entry_document(entries[x]);
          if (skip(d)) continue;
          LEITONG_TRY(emit(writer, d, first));
          if (d != first) LEITONG_TRY(emit(writer, d, second));
        }
      i = j;
    }
    return {};
  };
  LEITONG_TRY(parallel_for_each(
      Partitions::kCount, [] { return Entries(); }, emit_partition));
  figures_.star_pairs += stars;
  return flush_all(writers);
}

// Sums the evidence of each pair and offers those that share enough.
Result<void> RarityJoin::offer_candidates(
    Partitions& pairs, CandidateSink& sink,
    const std::function<bool(std::uint32_t, std::uint32_t)>& reachable) {
  const unsigned bits = 40 + pair_shift_;
  std::atomic<std::uint64_t> distinct{0}, offered{0};
  auto judge = [&](DocId a, DocId b, std::uint32_t shared, std::uint32_t stars) -> std::optional<Candidate> {
    const auto [shorter, longer] = table_.units[a] <= table_.units[b] ? std::pair(a, b) : std::pair(b, a);
    const std::uint32_t m = table_.units[shorter], n = table_.units[longer];
    if (!reachable(m, n)) return std::nullopt;
    const unsigned t = n < tiers_.short_below ? 0 : 1;
    const double poorer = std::min(tier_[t].rarity[shorter] * tiers_.comparable_share(m, n),
                                   static_cast<double>(tier_[t].rarity[longer]));
    const double share = shared / std::max(poorer, 1.0);
    const bool rare = shared > 0 && share >= kShare[t];
    if (!rare && stars < kHotShare * std::max(1.0, tiers_.expected_keys(m, n))) return std::nullopt;
    return Candidate{a, b, static_cast<float>(std::min(share, 1.0)), !rare};
  };
  auto judge_partition = [&](std::size_t partition, SortSpace& space) -> Result<void> {
    Entries& entries = space.entries;
    LEITONG_TRY(pairs.take(static_cast<unsigned>(partition), entries));
    radix_sort(entries, space.scratch, 8, bits, [](std::uint64_t e) { return e; });
    std::vector<Candidate> candidates;
    std::uint64_t pairs_here = 0;
    for (std::size_t i = 0; i < entries.size();) {
      std::uint32_t shared = 0, stars = 0;
      const std::uint64_t pair = entries[i] >> 8;
      for (; i < entries.size() && entries[i] >> 8 == pair; ++i) {
        const std::uint64_t df = entries[i] & 255;
        if (df == kStar)
          ++stars;
        else
          shared += kWeight[df];
      }
      ++pairs_here;
      const auto a = static_cast<DocId>((partition << pair_shift_) | pair >> 32);
      if (auto candidate = judge(a, static_cast<DocId>(pair), shared, stars))
        candidates.push_back(*candidate);
    }
    distinct += pairs_here;
    offered += candidates.size();
    return sink.offer(candidates);
  };
  LEITONG_TRY(parallel_for_each(
      Partitions::kCount, [] { return SortSpace(); }, judge_partition));
  figures_.distinct_pairs += distinct;
  figures_.candidates += offered;
  return sink.flush();
}

Result<void> RarityJoin::find(CandidateSink& sink,
                              const std::function<bool(std::uint32_t, std::uint32_t)>& reachable) {
  const std::size_t documents = table_.units.size();
  if (documents > kPartitionDocuments * Partitions::kCount - 1)
    return fail(ErrorCode::limit, "more than 4,294,967,295 documents in one run; split the input");
  while (documents >> pair_shift_ >= Partitions::kCount) ++pair_shift_;

  Partitions pairs(budget_, work_);
  for (unsigned t = 0; t < kTiers; ++t) {
    LEITONG_TRY(tier_[t].writer.flush());
    LEITONG_TRY(weigh(tier_[t]));
    LEITONG_TRY(emit_shared(t, pairs));
    LEITONG_TRY(emit_stars(t, pairs, [](DocId) { return false; }));
    tier_[t].last_class = PodVector<std::uint8_t>();
  }
  LEITONG_TRY(offer_candidates(pairs, sink, reachable));

  const auto hot_from = static_cast<std::uint8_t>(std::ceil(255 * kHotDocument));
  auto count_unmatched = [&] {
    std::uint64_t n = 0;
    for (std::size_t d = 0; d < documents; ++d)
      n += hot_share_[d] >= hot_from && !sink.matched(static_cast<DocId>(d));
    return n;
  };
  figures_.hot_unmatched = count_unmatched();
  for (int round = 1; round < kRounds && figures_.hot_unmatched > 1; ++round) {
    const std::uint64_t before = figures_.hot_unmatched;
    for (unsigned t = 0; t < kTiers; ++t)
      LEITONG_TRY(emit_stars(t, pairs, [&](DocId d) { return hot_share_[d] < hot_from || sink.matched(d); }));
    LEITONG_TRY(offer_candidates(pairs, sink, reachable));
    figures_.hot_unmatched = count_unmatched();
    if (figures_.hot_unmatched == before) break;
  }
  return {};
}

}  // namespace leitong
