#include "dedup/template/census.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <utility>

#include "base/halves.hpp"
#include "base/parallel.hpp"
#include "base/radix_sort.hpp"
#include "base/try.hpp"
#include "dedup/template/shingle_filter.hpp"
#include "feature/shingle_set.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {
namespace {

constexpr unsigned kPartitionShift = 24;  // of a shingle
static_assert(UINT32_MAX >> kPartitionShift == Partitions::kCount - 1);

// Shingles are counted in ranges of some partitions: few enough that long documents have many shingles in
// each, many enough that what is counted stays in the caches.
constexpr unsigned kRangeShift = kPartitionShift + 2;
constexpr unsigned kRanges = (UINT32_MAX >> kRangeShift) + 1;
constexpr unsigned kPartitionsOfRange = Partitions::kCount / kRanges;

// Who holds what, from one thread.
struct Lister {
  ShingledTexts::Reader reader;
  PodVector<std::uint32_t> hits, scratch;
  Partitions::Writer writer;

  Result<void> list(DocId document, std::span<const std::uint32_t> shingles) {
    for (const std::uint32_t shingle : shingles)
      LEITONG_TRY(writer.append(shingle >> kPartitionShift, join_halves(shingle, document)));
    return {};
  }
};

// The shingles of a long document that is asked for.
struct KeptSet {
  // What is shorter has too little in each range, and all ranges would look at it.
  static constexpr std::uint32_t kLeastUnits = 8 * kRanges;

  DocId family = 0, document = 0;
  PodVector<std::uint32_t> set;
  std::array<std::uint32_t, kRanges + 1> begin = {};  // of each range, and the end

  void take(std::span<const std::uint32_t> shingles) {
    set.append(shingles);
    std::uint32_t at = 0;
    for (unsigned range = 0; range <= kRanges; ++range) {
      const std::uint64_t first = std::uint64_t{range} << kRangeShift;
      while (at < set.size() && set[at] < first) ++at;
      begin[range] = at;
    }
  }
  [[nodiscard]] std::span<const std::uint32_t> part(unsigned range) const {
    return {set.data() + begin[range], begin[range + 1] - begin[range]};
  }
};

// How many different numbers were added? A table that nobody empties: each slot says when it was filled.
class DistinctCount {
 public:
  /// Begins anew, for `most` numbers at most.
  void clear(std::size_t most) {
    const std::size_t slots = std::bit_ceil(2 * most);
    if (slots > slots_.size() || time_ == UINT32_MAX) {
      slots_.clear();
      slots_.resize(slots, 0);
      time_ = 0;
    }
    shift_ = 32 - static_cast<unsigned>(std::bit_width(slots - 1));
    mask_ = slots - 1;
    ++time_;
    count_ = 0;
  }
  void add(std::uint32_t number) noexcept {
    const std::uint64_t filled = join_halves(time_, number);
    std::size_t at = number * 0x9E3779B1U >> shift_;
    while (slots_[at] != filled && high_half(slots_[at]) == time_) at = (at + 1) & mask_;
    count_ += slots_[at] != filled;
    slots_[at] = filled;
  }
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }

 private:
  PodVector<std::uint64_t> slots_;  // when, and which number
  std::size_t mask_ = 0;
  unsigned shift_ = 0;
  std::uint32_t time_ = 0, count_ = 0;
};

// The families that have a document of each site.
std::vector<std::uint32_t> families_of_sites(const Kinship& families, const Sites& sites,
                                             const std::vector<bool>& is_copy) {
  std::vector<std::uint64_t> seen;
  seen.reserve(sites.size());
  std::uint32_t most = 0;
  for (DocId d = 0; d < sites.size(); ++d) {
    most = std::max(most, sites[d]);
    if (!is_copy[d]) seen.push_back(join_halves(sites[d], families.family(d)));
  }
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  std::vector<std::uint32_t> count(std::size_t{most} + 1);
  for (const std::uint64_t each : seen) ++count[high_half(each)];
  return count;
}

}  // namespace

ShingleCensus::ShingleCensus(const ShingledTexts& texts, const DocumentTable& table,
                             const std::vector<bool>& is_copy, const Sites* sites, RunContext& run)
    : texts_(texts), table_(table), is_copy_(is_copy), sites_(sites), run_(run), entries_(run) {}

// What count() has until it is done.
struct ShingleCensus::Counting {
  ShingleCensus& census;
  const Kinship& families;
  const std::vector<bool>& asked;
  const std::vector<bool>& wants_common;
  RunContext& run = census.run_;
  std::vector<KeptSet> kept = {};
  std::uint64_t kept_bytes = 0;
  Partitions listed{run};  // (shingle, document) of all others that the filter lets through
  // The loops begin with a lister for each thread, which must be flushed when all are done.
  std::vector<std::unique_ptr<Lister>> listers = {};
  std::mutex mutex = {};

  ~Counting() { run.memory.release(kept_bytes); }

  Lister* new_lister() {
    auto lister =
        std::make_unique<Lister>(Lister{census.texts_.new_reader(), {}, {}, Partitions::Writer(listed)});
    const std::scoped_lock lock(mutex);
    listers.push_back(std::move(lister));
    return listers.back().get();
  }
  Result<void> flush() {
    for (const auto& lister : listers) LEITONG_TRY(lister->writer.flush());
    listers.clear();
    return {};
  }

  Result<void> read_asked();
  [[nodiscard]] std::uint64_t expected_shingles() const;
  Result<void> fill(ShingleFilter& filter);
  Result<void> list_others(const ShingleFilter& filter);
  Result<void> tally(std::uint64_t expected);
};

Result<void> ShingleCensus::Counting::read_asked() {
  const std::vector<DocId>& documents = census.asked_;
  constexpr std::uint32_t kListed = UINT32_MAX;
  std::vector<std::uint32_t> place(documents.size(), kListed);  // in `kept`
  const std::uint64_t room = run.memory.for_buffers() / 2;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::uint64_t units = census.table_.units[documents[i]];
    const std::uint64_t bytes = sizeof(KeptSet) + sizeof(std::uint32_t) * units;
    if (units < KeptSet::kLeastUnits || kept_bytes + bytes > room) continue;
    kept_bytes += bytes;
    place[i] = static_cast<std::uint32_t>(kept.size());
    kept.push_back({families.family(documents[i]), documents[i], {}});
  }
  run.memory.hold(kept_bytes);
  census.shingles_.resize(documents.size(), 0);
  LEITONG_TRY(parallel_for_each(
      run.stop, documents.size(), [&] { return new_lister(); },
      [&](std::size_t i, Lister* lister) -> Result<void> {
        LEITONG_ASSIGN(const ShingledText text, census.texts_.text(documents[i], lister->reader));
        census.shingles_[i] = static_cast<std::uint32_t>(text.set.size());
        if (place[i] == kListed) return lister->list(documents[i], text.set);
        kept[place[i]].take(text.set);
        return {};
      }));
  LEITONG_TRY(flush());
  std::sort(kept.begin(), kept.end(), [](const KeptSet& x, const KeptSet& y) {
    return std::pair(x.family, x.document) < std::pair(y.family, y.document);
  });
  return {};
}

// About how many different ones there are: documents of one family hold much the same.
std::uint64_t ShingleCensus::Counting::expected_shingles() const {
  std::uint64_t shingles = listed.size();
  for (std::size_t i = 0, end; i < kept.size(); i = end) {
    std::size_t most = 0;
    for (end = i; end < kept.size() && kept[end].family == kept[i].family; ++end)
      most = std::max(most, kept[end].set.size());
    shingles += most;
  }
  return shingles;
}

Result<void> ShingleCensus::Counting::fill(ShingleFilter& filter) {
  return parallel_for_each(
      run.stop, kRanges, [] { return PodVector<std::uint64_t>(); },
      [&](std::size_t range, PodVector<std::uint64_t>& entries) -> Result<void> {
        for (const KeptSet& each : kept)
          for (const std::uint32_t shingle : each.part(static_cast<unsigned>(range))) filter.insert(shingle);
        for (unsigned i = 0; i < kPartitionsOfRange; ++i) {
          LEITONG_TRY(listed.load(static_cast<unsigned>(range) * kPartitionsOfRange + i, entries));
          for (const std::uint64_t entry : entries) filter.insert(high_half(entry));
        }
        return {};
      });
}

Result<void> ShingleCensus::Counting::list_others(const ShingleFilter& filter) {
  LEITONG_TRY(parallel_for_each(
      run.stop, asked.size(), [&] { return new_lister(); },
      [&](std::size_t i, Lister* lister) -> Result<void> {
        const auto document = static_cast<DocId>(i);
        if (census.is_copy_[document] || asked[document]) return {};
        LEITONG_ASSIGN(const auto text, census.texts_.ordered(document, lister->reader));
        lister->hits.clear();
        filter.select(text, lister->hits);
        make_shingle_set(lister->hits, lister->scratch);
        return lister->list(document, lister->hits);
      }));
  return flush();
}

// Of all that was listed, what enough families hold.
Result<void> ShingleCensus::Counting::tally(std::uint64_t expected) {
  const std::uint32_t least =
      census.sites_ == nullptr ? TemplateRule::kFamilies : TemplateRule::kSiteFamilies;
  constexpr std::uint32_t kCommon = TemplateRule::kRareFamilies + 1;
  struct Space {
    FamilyCounts counts{kRangeShift};
    PodVector<std::uint64_t> entries, found, scratch;
  };
  const auto tally_range = [&](std::size_t range_index, Space& space) -> Result<void> {
    const auto range = static_cast<unsigned>(range_index);
    space.counts.clear(expected / kRanges, least, kCommon);
    for (const KeptSet& each : kept)
      for (const std::uint32_t shingle : each.part(range))
        space.counts.add(shingle, each.family, wants_common[each.document]);
    const unsigned first = range * kPartitionsOfRange;
    for (unsigned partition = first; partition < first + kPartitionsOfRange; ++partition) {
      LEITONG_TRY(listed.load(partition, space.entries));
      for (const std::uint64_t entry : space.entries)
        space.counts.add(high_half(entry), families.family(low_half(entry)), wants_common[low_half(entry)]);
    }
    space.found.clear();
    for (const KeptSet& each : kept)
      for (const std::uint32_t shingle : each.part(range))
        if (space.counts.may_be_of_interest(shingle))
          space.found.push_back(join_halves(shingle, each.document));
    for (unsigned partition = first; partition < first + kPartitionsOfRange; ++partition) {
      LEITONG_TRY(listed.take(partition, space.entries));
      for (const std::uint64_t entry : space.entries)
        if (space.counts.may_be_of_interest(high_half(entry))) space.found.push_back(entry);
    }
    radix_sort(space.found, space.scratch, 32, 32 + kRangeShift, [](std::uint64_t e) { return e; });
    std::span<const std::uint64_t> left = space.found;
    for (unsigned partition = first; partition < first + kPartitionsOfRange; ++partition) {
      const auto end = std::ranges::partition_point(
          left, [&](std::uint64_t e) { return high_half(e) >> kPartitionShift <= partition; });
      const auto size = static_cast<std::size_t>(end - left.begin());
      LEITONG_TRY(census.entries_.put(partition, left.first(size)));
      left = left.subspan(size);
    }
    return {};
  };
  return parallel_for_each(
      run.stop, kRanges, [] { return Space(); }, tally_range);
}

Result<void> ShingleCensus::count(const Kinship& families, const std::vector<bool>& asked,
                                  const std::vector<bool>& wants_common) {
  static_assert(TemplateRule::kSiteFamilies <= TemplateRule::kRareFamilies + 1 &&
                TemplateRule::kRareFamilies < TemplateRule::kFamilies);
  for (DocId d = 0; d < asked.size(); ++d)
    if (asked[d] && !is_copy_[d]) asked_.push_back(d);
  Counting counting{*this, families, asked, wants_common};
  LEITONG_TRY(counting.read_asked());
  const std::uint64_t expected = counting.expected_shingles();
  {
    ShingleFilter filter(expected, run_.memory.for_buffers() / 8);
    LEITONG_TRY(counting.fill(filter));
    LEITONG_TRY(counting.list_others(filter));
  }
  return counting.tally(expected);
}

Result<std::size_t> ShingleCensus::shingles_of(DocId document, ShingledTexts::Reader& reader) const {
  const auto place = std::lower_bound(asked_.begin(), asked_.end(), document);
  if (place != asked_.end() && *place == document)
    return std::size_t{shingles_[static_cast<std::size_t>(place - asked_.begin())]};
  LEITONG_ASSIGN(const ShingledText text, texts_.text(document, reader));
  return text.set.size();
}

Result<void> ShingleCensus::mark(const Kinship& families, const std::vector<bool>& asked,
                                 const std::vector<bool>& wants_common, TemplateMarks& marks) {
  const Sites* const sites = sites_;
  std::vector<std::uint32_t> of_site;
  if (sites != nullptr) of_site = families_of_sites(families, *sites, is_copy_);
  std::atomic<std::uint64_t> templates{0};
  // Of one shingle: site and family of each holder, and the holder.
  struct Holder {
    std::uint32_t site;
    DocId family;
    DocId document;
    bool is_template;
  };
  struct Space {
    TemplateMarks::Writer writer;
    PodVector<std::uint64_t> entries = {};
    std::vector<Holder> holders = {};
    DistinctCount distinct = {};
  };
  // One for each thread, whose writers must be flushed when all is done.
  std::vector<std::unique_ptr<Space>> spaces;
  std::mutex mutex;
  const auto new_space = [&] {
    auto space = std::make_unique<Space>(Space{TemplateMarks::Writer(marks)});
    const std::scoped_lock lock(mutex);
    spaces.push_back(std::move(space));
    return spaces.back().get();
  };
  const auto mark_shingle = [&](std::span<const std::uint64_t> entries, Space& space) -> Result<void> {
    if (entries.size() <= TemplateRule::kRareFamilies) return {};
    if (sites == nullptr && entries.size() < TemplateRule::kFamilies &&
        std::ranges::none_of(entries, [&](std::uint64_t e) { return wants_common[low_half(e)]; }))
      return {};
    space.distinct.clear(entries.size());
    for (const std::uint64_t entry : entries) space.distinct.add(families.family(low_half(entry)));
    const std::uint32_t count = space.distinct.count();
    if (count <= TemplateRule::kRareFamilies) return {};
    const bool everywhere = is_template(count, entries.size());
    if (!everywhere && sites == nullptr &&
        std::ranges::none_of(entries, [&](std::uint64_t e) { return wants_common[low_half(e)]; }))
      return {};
    bool somewhere = everywhere;
    space.holders.clear();
    for (const std::uint64_t entry : entries) {
      const DocId d = low_half(entry);
      space.holders.push_back({sites == nullptr ? 0 : (*sites)[d], families.family(d), d, everywhere});
    }
    std::uint32_t sites_here = 0;
    if (sites != nullptr) {
      std::sort(space.holders.begin(), space.holders.end(), [](const Holder& x, const Holder& y) {
        return std::pair(x.site, x.family) < std::pair(y.site, y.family);
      });
      for (std::size_t i = 0, end; i < space.holders.size(); i = end) {
        std::uint64_t here = 0;
        ++sites_here;
        for (end = i; end < space.holders.size() && space.holders[end].site == space.holders[i].site; ++end)
          here += end == i || space.holders[end].family != space.holders[end - 1].family;
        if (!is_site_template(here, end - i, of_site[space.holders[i].site])) continue;
        somewhere = true;
        for (std::size_t h = i; h < end; ++h) space.holders[h].is_template = true;
      }
    }
    // What the filter let through by chance is nobody's who is asked for.
    const bool is_asked_for =
        std::ranges::any_of(space.holders, [&](const Holder& h) { return asked[h.document]; });
    templates += somewhere && is_asked_for ? 1 : 0;
    for (const Holder& holder : space.holders)
      if (asked[holder.document] && (holder.is_template || wants_common[holder.document]))
        LEITONG_TRY(space.writer.add(holder.document,
                                     {high_half(entries[0]), count, sites_here, holder.is_template}));
    return {};
  };
  const auto mark_partition = [&](std::size_t index, Space* space) -> Result<void> {
    LEITONG_TRY(entries_.load(static_cast<unsigned>(index), space->entries));
    const std::span<const std::uint64_t> all = space->entries;
    for (std::size_t i = 0, end; i < all.size(); i = end) {
      for (end = i + 1; end < all.size() && high_half(all[end]) == high_half(all[i]);) ++end;
      LEITONG_TRY(mark_shingle(all.subspan(i, end - i), *space));
    }
    return {};
  };
  LEITONG_TRY(parallel_for_each(run_.stop, Partitions::kCount, new_space, mark_partition));
  for (const auto& space : spaces) LEITONG_TRY(space->writer.flush());
  templates_ = templates;
  return marks.sort();
}

}  // namespace leitong
