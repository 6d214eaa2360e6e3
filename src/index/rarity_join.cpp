#include "index/rarity_join.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "base/try.hpp"
#include "index/key_entries.hpp"

namespace leitong {
namespace {

// The evidence of a pair: the document frequency of a shared key, or kStar for the leader of a hot key.
constexpr std::uint8_t kStar = 255;

// The document with the smaller content hash leads; `salt` gives each round other leaders.
template <class Content>
bool goes_before(const Content& content, std::uint64_t salt, DocId x, DocId y) {
  return std::pair(content[x] ^ salt, x) < std::pair(content[y] ^ salt, y);
}

// The family of most holders of a key; kNoDocument if no family has the majority: then the key is a template
// that a family also uses (Boyer, Moore 1981).
DocId family_of_key(std::span<const std::uint64_t> holders, std::span<const DocId> family) {
  DocId most = kNoDocument;
  std::size_t lead = 0, members = 0;
  for (const std::uint64_t e : holders) {
    const DocId f = family[entry_document(e)];
    if (lead == 0) most = f;
    lead += f == most ? 1 : -1;
  }
  for (const std::uint64_t e : holders) members += family[entry_document(e)] == most;
  return 2 * members > holders.size() ? most : kNoDocument;
}

// Any holder may lead.
constexpr auto anybody = [](std::span<const std::uint64_t>) { return [](DocId) { return true; }; };

void add_relaxed(std::uint32_t& sum, std::uint32_t value) {
  std::atomic_ref<std::uint32_t>(sum).fetch_add(value, std::memory_order_relaxed);
}

// Calls each(begin, end) for every run of entries with one key. Calls coming_up(document) for the documents
// of shared keys some entries earlier, because their data lie anywhere in memory.
template <class ComingUp, class Each>
Result<void> for_each_key(const Entries& entries, ComingUp coming_up, Each each) {
  constexpr std::size_t kAhead = 32;
  auto same = [&](std::size_t x, std::size_t y) {
    return y < entries.size() && entry_key(entries[x]) == entry_key(entries[y]);
  };
  std::size_t seen = 0;
  for (std::size_t i = 0; i < entries.size();) {
    std::size_t j = i + 1;
    while (same(i, j)) ++j;
    for (const std::size_t end = std::min(j + kAhead, entries.size()); seen < end; ++seen)
      if (same(seen, seen + 1) || same(seen, seen - 1)) coming_up(entry_document(entries[seen]));
    LEITONG_TRY(each(i, j));
    i = j;
  }
  return {};
}

}  // namespace

RarityJoin::RarityJoin(const Tiers& tiers, const DocumentTable& table, RunContext& run, std::uint32_t frame)
    : tiers_(tiers), table_(table), run_(run), tier_{Tier(run), Tier(run)}, frame_(frame) {}

Result<void> RarityJoin::add(DocId document, std::array<std::span<const std::uint64_t>, kTiers> keys) {
  ++figures_.documents;
  weights_.resize(std::size_t{document} + 1, {});
  for (unsigned t = 0; t < kTiers; ++t) {
    figures_.keys += keys[t].size();
    weights_[document].rarity[t] = static_cast<std::uint32_t>(keys[t].size());
    for (const std::uint64_t key : keys[t])
      LEITONG_TRY(tier_[t].writer.append(entry_partition(key), entry(key, document)));
  }
  return {};
}

// Sorts every partition, sums the rarity of each document's keys, separates hot keys and drops keys of one
// document.
Result<void> RarityJoin::weigh(unsigned t, ProgressMeter& meter) {
  Tier& tier = tier_[t];
  const std::size_t documents = table_.units.size();
  weights_.resize(documents, {});
  // In half a cache line. Most keys are not shared; they are what remains of `all`, so no memory is accessed
  // for them.
  PodVector<KeyTally> tallies;
  tallies.resize(documents, {});
  std::atomic<std::uint64_t> shared_keys{0}, hot_keys{0}, hot_entries{0}, most_pairs{0};

  auto weigh_partition = [&](std::size_t partition, SortSpace& space) -> Result<void> {
    Entries& entries = space.entries;
    LEITONG_TRY(tier.entries.take(static_cast<unsigned>(partition), entries));
    space.sort();
    Entries& hot_ones = space.scratch;
    hot_ones.clear();
    std::size_t kept = 0;
    std::uint64_t shared = 0, hot_groups = 0, pairs = 0;
    auto weigh_key = [&](std::size_t begin, std::size_t end) -> Result<void> {
      if (end - begin == 1) return {};
      // The documents of a key ascend, because they were added in order; a document that holds it twice
      // counts once.
      const auto first = entries.begin() + begin;
      auto last = first + 1;
      for (auto e = last; e != entries.begin() + end; ++e) {
        if (*e != last[-1])
          *last++ = *e;
        else
          add_relaxed(weights_[entry_document(*e)].rarity[t], -1U);
      }
      const auto df = static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(last - first, UINT32_MAX));
      if (df == 1) return {};
      if (df > kHot) {
        ++hot_groups;
        for (auto e = first; e != last; ++e) add_relaxed(tallies[entry_document(*e)].hot, 1);
        hot_ones.append({first, last});
        return {};
      }
      ++shared;
      pairs += df * (df - 1) / 2;
      for (auto e = first; e != last; ++e) {
        KeyTally& tally = tallies[entry_document(*e)];
        add_relaxed(tally.shared, 1);
        add_relaxed(tally.weight[key_class(df)], kKeyWeight[df]);
      }
      std::copy(first, last, entries.begin() + kept);
      kept += df;
      return {};
    };
    LEITONG_TRY(for_each_key(
        entries, [&](DocId d) { __builtin_prefetch(&tallies[d], 1); }, weigh_key));
    shared_keys += shared;
    hot_keys += hot_groups;
    hot_entries += hot_ones.size();
    most_pairs += pairs;
    meter.add();
    LEITONG_TRY(tier.entries.put(static_cast<unsigned>(partition), {entries.data(), kept}));
    return tier.hot.put(static_cast<unsigned>(partition), hot_ones);
  };
  LEITONG_TRY(parallel_for_each(
      run_.stop, Partitions::kCount, [] { return SortSpace(); }, weigh_partition));

  tier.last_class.resize(documents, 0);
  for (std::size_t d = 0; d < documents; ++d) {
    Weights& of = weights_[d];
    const KeySum sum = sum_keys(of.rarity[t], tallies[d], frame_);
    of.rarity[t] = sum.rarity;
    tier.last_class[d] = sum.last_class;
    of.hot_share = std::max(of.hot_share, sum.hot_share);
    of.frame_share = std::max(of.frame_share, sum.frame_share);
  }
  figures_.shared_keys += shared_keys;
  figures_.hot_keys += hot_keys;
  figures_.hot_entries += hot_entries;
  most_pairs_ += most_pairs;
  return {};
}

// Each slice reads all keys, so its pairs may take more than the buffers: as much as the keys take, or, where
// the disk has it, four times the buffers.
unsigned RarityJoin::slices() const noexcept {
  constexpr std::uint64_t kMost = 64, kEntry = sizeof(std::uint64_t);
  const std::uint64_t buffers = run_.memory.for_buffers(),
                      keys = kEntry * (tier_[0].entries.size() + tier_[1].entries.size());
  const std::uint64_t room = std::max({buffers, keys, std::min(4 * buffers, run_.work.free_bytes() / 2)});
  return static_cast<unsigned>(std::clamp<std::uint64_t>((kEntry * most_pairs_ + room - 1) / room, 1, kMost));
}

Result<void> RarityJoin::emit_shared(unsigned t, PairBag& pairs, ProgressMeter* meter) {
  // What the pairs of a key need of its documents, fetched once for each document instead of each pair.
  struct Holder {
    std::uint64_t content;
    DocId document;
    std::uint32_t units;
    std::uint8_t last_class;
    bool in_slice;
  };
  Tier& tier = tier_[t];
  std::atomic<std::uint64_t> raw{0};
  auto emit_partition = [&](std::size_t partition, Entries& entries) -> Result<void> {
    const auto at = static_cast<unsigned>(partition);
    LEITONG_TRY(meter == nullptr ? tier.entries.load(at, entries) : tier.entries.take(at, entries));
    PairBag::Writer writer = pairs.local_writer();
    std::uint64_t emitted = 0;
    std::array<Holder, kHot> holders;
    auto emit_key = [&](std::size_t begin, std::size_t end) -> Result<void> {
      const auto df = static_cast<std::uint8_t>(end - begin);
      const unsigned cls = key_class(df);
      const auto in_slice = [&](std::uint64_t entry) { return pairs.takes(entry_document(entry)); };
      if (std::none_of(entries.begin() + begin, entries.begin() + end, in_slice)) return {};
      for (std::size_t x = 0; x < df; ++x) {
        const DocId d = entry_document(entries[begin + x]);
        holders[x] = {table_.content[d], d, table_.units[d], tier.last_class[d], pairs.takes(d)};
        for (std::size_t y = 0; y < x; ++y) {
          const Holder &a = holders[y], &b = holders[x];
          if (!a.in_slice && !b.in_slice) continue;
          if ((cls > a.last_class && cls > b.last_class) || !tiers_.meet_in(t, a.units, b.units)) continue;
          const auto [led, leader] = std::pair(a.content, a.document) < std::pair(b.content, b.document)
                                         ? std::pair(b.document, a.document)
                                         : std::pair(a.document, b.document);
          if (!pairs.takes(led)) continue;
          LEITONG_TRY(writer.add(led, leader, df));
          ++emitted;
        }
      }
      return {};
    };
    auto fetch = [&](DocId d) {
      __builtin_prefetch(&table_.content[d]);
      __builtin_prefetch(&table_.units[d]);
      __builtin_prefetch(&tier.last_class[d]);
    };
    LEITONG_TRY(for_each_key(entries, fetch, emit_key));
    raw += emitted;
    if (meter != nullptr) meter->add();
    return {};
  };
  LEITONG_TRY(parallel_for_each(
      run_.stop, Partitions::kCount, [] { return Entries(); }, emit_partition));
  figures_.raw_pairs += raw;
  return {};
}

// Pairs each holder of a hot key that `joins` with its two leaders: the first ones, in the order of
// goes_first(x, y), of those that leads_among(holders) allows. `follows(d, leader)` tells whether a pair is
// wanted.
template <class GoesFirst, class Joins, class LeadsAmong, class Follows>
Result<void> RarityJoin::emit_stars(unsigned t, PairBag& pairs, GoesFirst goes_first, Joins joins,
                                    LeadsAmong leads_among, Follows follows) {
  std::atomic<std::uint64_t> stars{0};
  auto emit_partition = [&](std::size_t partition, Entries& entries) -> Result<void> {
    LEITONG_TRY(tier_[t].hot.load(static_cast<unsigned>(partition), entries));
    PairBag::Writer writer = pairs.local_writer();
    std::uint64_t emitted = 0;
    auto emit = [&](DocId d, DocId leader) -> Result<void> {
      if (!pairs.takes(d) || !follows(d, leader) || !tiers_.meet_in(t, table_.units[d], table_.units[leader]))
        return {};
      ++emitted;
      return writer.add(d, leader, kStar);
    };
    auto emit_key = [&](std::size_t begin, std::size_t end) -> Result<void> {
      const std::span group(entries.data() + begin, end - begin);
      const auto gone =
          std::ranges::remove_if(group, [&](std::uint64_t e) { return !joins(entry_document(e)); });
      const auto holders = group.first(group.size() - gone.size());
      const auto leads = leads_among(holders);
      DocId first = kNoDocument, second = kNoDocument;
      auto precedes = [&](DocId x, DocId y) { return y == kNoDocument || goes_first(x, y); };
      for (const std::uint64_t e : holders) {
        const DocId d = entry_document(e);
        if (!leads(d)) continue;
        if (precedes(d, first)) {
          second = std::exchange(first, d);
        } else if (precedes(d, second)) {
          second = d;
        }
      }
      for (const DocId leader : {first, second}) {
        if (leader == kNoDocument) break;
        for (const std::uint64_t e : holders) LEITONG_TRY(emit(entry_document(e), leader));
      }
      return {};
    };
    LEITONG_TRY(for_each_key(
        entries, [&](DocId d) { __builtin_prefetch(&table_.content[d]); }, emit_key));
    stars += emitted;
    return {};
  };
  LEITONG_TRY(parallel_for_each(
      run_.stop, Partitions::kCount, [] { return Entries(); }, emit_partition));
  figures_.star_pairs += stars;
  return {};
}

// Sums the evidence of each pair and offers those that share enough.
Result<void> RarityJoin::offer_candidates(PairBag& pairs, CandidateSink& sink, const Reachable& reachable,
                                          PairBag::Slice slice) {
  std::atomic<std::uint64_t> offered{0};
  auto judge = [&](DocId a, DocId b, std::span<const std::uint64_t> evidence) -> std::optional<Candidate> {
    const bool in_order = table_.units[a] <= table_.units[b];
    const DocId shorter = in_order ? a : b, longer = in_order ? b : a;
    const std::uint32_t m = table_.units[shorter], n = table_.units[longer];
    const unsigned t = tiers_.tier_of(n);
    SharedKeys shared{m, n, weights_[shorter].rarity[t], weights_[longer].rarity[t]};
    for (const std::uint64_t e : evidence) {
      const auto df = static_cast<std::uint8_t>(e);
      if (df == kStar) {
        ++shared.stars;
      } else {
        shared.weight += kKeyWeight[df];
        shared.rare |= key_class(df) < kFrameClass;
        if (key_class(df) == 0) shared.rarest += kKeyWeight[df];
      }
    }
    const auto worth = judge_shared(tiers_, shared, reachable, [&] {
      return CommonKeys{is_hot(a) && is_hot(b), frame_share(longer), frame_share(shorter)};
    });
    if (!worth) return std::nullopt;
    offered.fetch_add(1, std::memory_order_relaxed);
    return Candidate{std::min(a, b), std::max(a, b), worth->score, worth->template_only, worth->frame};
  };
  auto fetch = [&](DocId other) {
    __builtin_prefetch(&table_.units[other]);
    __builtin_prefetch(&weights_[other]);
  };
  LEITONG_ASSIGN(const std::uint64_t distinct, pairs.drain(sink, judge, fetch, slice));
  figures_.distinct_pairs += distinct;
  figures_.candidates += offered;
  return sink.flush();
}

bool RarityJoin::is_hot(DocId document) const noexcept { return is_hot_share(weights_[document].hot_share); }

std::uint8_t RarityJoin::frame_share(DocId document) const noexcept {
  return frame_ > 0 ? weights_[document].frame_share : 0;
}

std::uint64_t RarityJoin::count_hot_unmatched(const CandidateSink& sink) const {
  std::uint64_t count = 0;
  for (std::size_t d = 0; d < weights_.size(); ++d)
    count += is_hot(static_cast<DocId>(d)) && !sink.matched(static_cast<DocId>(d));
  return count;
}

Result<void> RarityJoin::find_strays(CandidateSink& sink, const Reachable& reachable,
                                     std::span<const DocId> family, unsigned round) {
  PairBag pairs(table_.units.size(), run_);
  const auto goes_first = [&, salt = mix64(round)](DocId x, DocId y) {
    return goes_before(table_.content, salt, x, y);
  };
  for (unsigned t = 0; t < kTiers; ++t)
    LEITONG_TRY(emit_stars(
        t, pairs, goes_first, [&](DocId d) { return is_hot(d); },
        [&](std::span<const std::uint64_t> holders) {
          return [&, most = family_of_key(holders, family)](DocId d) {
            return most != kNoDocument && family[d] == most;
          };
        },
        [&](DocId d, DocId leader) { return family[d] != family[leader]; }));
  LEITONG_TRY(offer_candidates(pairs, sink, reachable));
  figures_.hot_unmatched = count_hot_unmatched(sink);
  return {};
}

Result<void> RarityJoin::find_among(CandidateSink& sink, const Reachable& reachable,
                                    std::span<const std::uint32_t> likeness) {
  PairBag pairs(table_.units.size(), run_);
  const auto goes_first = [&](DocId x, DocId y) {
    return likeness[x] != likeness[y] ? likeness[x] > likeness[y] : goes_before(table_.content, 0, x, y);
  };
  for (unsigned t = 0; t < kTiers; ++t)
    LEITONG_TRY(emit_stars(
        t, pairs, goes_first, [&](DocId d) { return likeness[d] > 0 && is_hot(d); }, anybody,
        [&](DocId d, DocId leader) { return goes_first(leader, d); }));
  return offer_candidates(pairs, sink, reachable);
}

Result<void> RarityJoin::find(CandidateSink& sink, const Reachable& reachable) {
  // No document leads itself, and the second leader does not lead the first.
  const auto first = [&](DocId x, DocId y) { return goes_before(table_.content, 0, x, y); };
  const auto after = [&](DocId d, DocId leader) { return first(leader, d); };
  // A partition of keys is sorted and weighed, and then gives its pairs.
  ProgressMeter meter(run_, "matching", std::uint64_t{2} * kTiers * Partitions::kCount, "parts of the keys");
  for (unsigned t = 0; t < kTiers; ++t) {
    LEITONG_TRY(tier_[t].writer.flush());
    LEITONG_TRY(weigh(t, meter));
  }
  const std::uint64_t documents = table_.units.size();
  for (unsigned slice = 0, count = slices(); slice < count; ++slice) {
    const std::uint64_t begin = documents * slice / count, end = documents * (slice + 1) / count;
    PairBag pairs(end - begin, run_, begin);
    for (unsigned t = 0; t < kTiers; ++t) {
      LEITONG_TRY(emit_shared(t, pairs, slice + 1 == count ? &meter : nullptr));
      LEITONG_TRY(emit_stars(
          t, pairs, first, [](DocId) { return true; }, anybody, after));
    }
    LEITONG_TRY(offer_candidates(pairs, sink, reachable, {slice, count}));
  }
  for (Tier& tier : tier_) tier.last_class = PodVector<std::uint8_t>();
  return lead_unmatched(sink, reachable);
}

Result<void> RarityJoin::take_over(std::span<const Weights> weights, std::span<const HotKey> keys) {
  weights_.append(weights);
  std::array<Partitions::Writer, kTiers> writers{Partitions::Writer(tier_[0].hot),
                                                 Partitions::Writer(tier_[1].hot)};
  for (std::uint64_t number = 0; number < keys.size(); ++number)
    for (const DocId document : keys[number].documents)
      LEITONG_TRY(writers[keys[number].tier].append(static_cast<unsigned>(number % Partitions::kCount),
                                                    number / Partitions::kCount << 32 | document));
  for (Partitions::Writer& writer : writers) LEITONG_TRY(writer.flush());
  return {};
}

Result<void> RarityJoin::lead_unmatched(CandidateSink& sink, const Reachable& reachable) {
  PairBag pairs(table_.units.size(), run_);
  figures_.hot_unmatched = count_hot_unmatched(sink);
  // If templates are no evidence, each round has other leaders, because a leader that matches no document
  // would lead for ever. There are also more rounds, because a family that is only partly linked would count
  // as several.
  const int rounds = frame_ > 0 ? kFrameRounds : kRounds;
  for (int round = 1; round < rounds && figures_.hot_unmatched > 1; ++round) {
    const std::uint64_t before = figures_.hot_unmatched, salt = frame_ > 0 ? mix64(~std::uint64_t(round)) : 0;
    const auto first = [&](DocId x, DocId y) { return goes_before(table_.content, salt, x, y); };
    const auto behind = [&](DocId d, DocId leader) { return first(leader, d); };
    for (unsigned t = 0; t < kTiers; ++t)
      LEITONG_TRY(emit_stars(
          t, pairs, first, [&](DocId d) { return is_hot(d) && !sink.matched(d); }, anybody, behind));
    LEITONG_TRY(offer_candidates(pairs, sink, reachable));
    figures_.hot_unmatched = count_hot_unmatched(sink);
    if (figures_.hot_unmatched == before) break;
    if (round >= kRounds && kWorthwhile * (before - figures_.hot_unmatched) < before) break;
  }
  return {};
}

}  // namespace leitong
