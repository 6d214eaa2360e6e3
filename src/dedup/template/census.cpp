#include "dedup/template/census.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <utility>

#include "base/halves.hpp"
#include "base/parallel.hpp"
#include "base/radix_sort.hpp"
#include "base/try.hpp"
#include "feature/shingle_set.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {
namespace {

constexpr unsigned kPartitionShift = 24;  // of a shingle
static_assert(UINT32_MAX >> kPartitionShift == Partitions::kCount - 1);

constexpr std::size_t kAhead = 16;  // what is looked at next is fetched meanwhile

// A set of shingles that may hold others too: two bits of one word for each (Bloom 1970; Putze, Sanders,
// Singler 2007, section 3), behind one bit of an array that the second-level cache holds, since most are not
// in it.
class ShingleFilter {
 public:
  /// For `shingles` of them at 16 bits each, within `bytes`.
  ShingleFilter(std::uint64_t shingles, std::uint64_t bytes) {
    const std::uint64_t words = std::clamp<std::uint64_t>(
        std::bit_ceil(shingles / 4 + 1), 1024, std::bit_floor(std::max<std::uint64_t>(bytes, 8192) / 8));
    words_.resize(words, 0);
    shift_ = 64 - static_cast<unsigned>(std::bit_width(words - 1));
    coarse_.resize((std::size_t{1} << kCoarseBits) / 64, 0);
  }
  /// Thread-safe.
  void insert(std::uint32_t shingle) noexcept {
    set(words_[place(shingle)], bits_of(shingle));
    set(coarse_[coarse_word(shingle)], coarse_bit(shingle));
  }
  void prefetch(std::uint32_t shingle) const noexcept { __builtin_prefetch(&words_[place(shingle)]); }
  /// Appends to `hits` those of `shingles` that the set holds. Not while another thread inserts.
  void select(std::span<const std::uint32_t> shingles, PodVector<std::uint32_t>& hits) const {
    const std::size_t begin = hits.size();
    hits.resize_for_overwrite(begin + shingles.size());
    std::uint32_t* const likely = hits.data() + begin;
    std::size_t n = 0;
    for (const std::uint32_t shingle : shingles) {
      likely[n] = shingle;
      n += (coarse_[coarse_word(shingle)] & coarse_bit(shingle)) != 0;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (i + kAhead < n) prefetch(likely[i + kAhead]);
      const std::uint32_t shingle = likely[i];
      const std::uint64_t bits = bits_of(shingle);
      likely[kept] = shingle;
      kept += (words_[place(shingle)] & bits) == bits;
    }
    hits.resize_for_overwrite(begin + kept);
  }

 private:
  static constexpr unsigned kCoarseBits = 22;

  static void set(std::uint64_t& word, std::uint64_t bits) noexcept {
    const std::atomic_ref shared(word);
    // Most are set already, and reading is cheaper.
    if ((shared.load(std::memory_order_relaxed) & bits) != bits)
      shared.fetch_or(bits, std::memory_order_relaxed);
  }
  static std::uint64_t mixed(std::uint32_t shingle) noexcept { return shingle * 0x9E3779B97F4A7C15ULL; }
  static std::uint64_t bits_of(std::uint32_t shingle) noexcept {
    const std::uint64_t m = mixed(shingle);
    return 1ULL << (m & 63) | 1ULL << (m >> 6 & 63);
  }
  [[nodiscard]] std::size_t place(std::uint32_t shingle) const noexcept { return mixed(shingle) >> shift_; }
  static std::size_t coarse_word(std::uint32_t shingle) noexcept { return shingle >> (32 - kCoarseBits + 6); }
  static std::uint64_t coarse_bit(std::uint32_t shingle) noexcept {
    return 1ULL << (shingle >> (32 - kCoarseBits) & 63);
  }

  PodVector<std::uint64_t> words_, coarse_;
  unsigned shift_;
};

// Working space of a thread.
struct Lister {
  ShingledTexts::Reader reader;
  PodVector<std::uint32_t> hits, scratch;
  Partitions::Writer writer;

  Result<void> list(DocId document, std::uint32_t shingle) {
    return writer.append(shingle >> kPartitionShift, join_halves(shingle, document));
  }
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

/// How many documents hold a shingle, at most: a counter may be that of several shingles (Fan et al. 2000).
class ShingleCounts {
 public:
  /// For `shingles` of them, within `bytes`. What is counted less than `least` times is of no interest.
  ShingleCounts(std::uint64_t shingles, std::uint64_t bytes, std::uint8_t least)
      : shift_(64 - static_cast<unsigned>(std::bit_width(
                        std::clamp<std::uint64_t>(std::bit_ceil(shingles + 1), 4096,
                                                  std::bit_floor(std::max<std::uint64_t>(bytes, 4096))) -
                        1))),
        least_(least) {
    counts_.resize(std::size_t{1} << (64 - shift_), 0);
  }
  /// Thread-safe.
  void add(std::uint32_t shingle, std::uint8_t times = 1) noexcept {
    const std::atomic_ref<std::uint8_t> count(counts_[place(shingle)]);
    // Threads may pass the limit together, by less than what is left above it.
    if (count.load(std::memory_order_relaxed) < kLimit) count.fetch_add(times, std::memory_order_relaxed);
  }
  void prefetch(std::uint32_t shingle) const noexcept { __builtin_prefetch(&counts_[place(shingle)]); }
  [[nodiscard]] bool enough(std::uint32_t shingle) const noexcept {
    return counts_[place(shingle)] >= least_;
  }

 private:
  static constexpr std::uint8_t kLimit = 16;
  [[nodiscard]] std::size_t place(std::uint32_t shingle) const noexcept {
    return shingle * 0xD6E8FEB86659FD93ULL >> shift_;
  }

  PodVector<std::uint8_t> counts_;
  unsigned shift_;
  std::uint8_t least_;
};

ShingleCensus::ShingleCensus(ShingledTexts& texts, const DocumentTable& table,
                             const std::vector<bool>& is_copy, const Sites* sites, RunContext& run)
    : texts_(texts), table_(table), is_copy_(is_copy), sites_(sites), run_(run), entries_(run) {}
ShingleCensus::~ShingleCensus() = default;

Result<void> ShingleCensus::count(const std::vector<bool>& asked, const std::vector<bool>& wants_common) {
  const std::size_t documents = table_.units.size();
  std::uint64_t shingles = 0;
  for (DocId d = 0; d < documents; ++d)
    if (asked[d]) shingles += table_.units[d];
  const std::uint64_t room = run_.memory.for_buffers() / 8;
  ShingleFilter filter(shingles, room);
  constexpr std::uint32_t kCommon = TemplateRule::kRareFamilies + 1;
  const std::uint32_t least = sites_ == nullptr ? TemplateRule::kFamilies : TemplateRule::kSiteFamilies;
  static_assert(TemplateRule::kSiteFamilies <= kCommon && kCommon <= TemplateRule::kFamilies);
  counts_ = std::make_unique<ShingleCounts>(shingles, room, static_cast<std::uint8_t>(least));
  // The loops begin with a writer for each thread, which must be flushed when all are done.
  std::vector<std::unique_ptr<Lister>> listers;
  std::mutex mutex;
  const auto new_lister = [&] {
    auto lister = std::make_unique<Lister>(Lister{texts_.new_reader(), {}, {}, Partitions::Writer(entries_)});
    const std::scoped_lock lock(mutex);
    listers.push_back(std::move(lister));
    return listers.back().get();
  };
  const auto for_each = [&](bool of_asked, auto body) {
    return parallel_for_each(run_.stop, documents, new_lister,
                             [&](std::size_t i, Lister* lister) -> Result<void> {
                               const auto d = static_cast<DocId>(i);
                               if (is_copy_[d] || asked[d] != of_asked) return {};
                               return body(d, *lister);
                             });
  };
  const auto prepare = [&](DocId d, Lister& lister) -> Result<void> {
    LEITONG_ASSIGN(const ShingledText text, texts_.text(d, lister.reader));
    // Where three families are asked for, a shingle begins with what it then lacks of a template.
    const auto times =
        static_cast<std::uint8_t>(wants_common[d] && least > kCommon ? 1 + least - kCommon : 1);
    for (std::size_t i = 0; i < text.set.size(); ++i) {
      if (i + kAhead < text.set.size()) {
        filter.prefetch(text.set[i + kAhead]);
        counts_->prefetch(text.set[i + kAhead]);
      }
      filter.insert(text.set[i]);
      counts_->add(text.set[i], times);
    }
    return {};
  };
  const auto list_other = [&](DocId d, Lister& lister) -> Result<void> {
    LEITONG_ASSIGN(const std::span<const std::uint32_t> text, texts_.ordered(d, lister.reader));
    lister.hits.clear();
    filter.select(text, lister.hits);
    make_shingle_set(lister.hits, lister.scratch);
    for (std::size_t i = 0; i < lister.hits.size(); ++i) {
      if (i + kAhead < lister.hits.size()) counts_->prefetch(lister.hits[i + kAhead]);
      counts_->add(lister.hits[i]);
      LEITONG_TRY(lister.list(d, lister.hits[i]));
    }
    return {};
  };
  const auto list_asked = [&](DocId d, Lister& lister) -> Result<void> {
    LEITONG_ASSIGN(const ShingledText text, texts_.text(d, lister.reader));
    for (std::size_t i = 0; i < text.set.size(); ++i) {
      if (i + kAhead < text.set.size()) counts_->prefetch(text.set[i + kAhead]);
      if (counts_->enough(text.set[i])) LEITONG_TRY(lister.list(d, text.set[i]));
    }
    return {};
  };
  LEITONG_TRY(for_each(true, prepare));
  LEITONG_TRY(for_each(false, list_other));
  LEITONG_TRY(for_each(true, list_asked));
  for (const auto& lister : listers) LEITONG_TRY(lister->writer.flush());
  return {};
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
    PodVector<std::uint64_t> entries, scratch;
    std::vector<Holder> holders;
    std::vector<DocId> distinct;
  };
  const auto mark_shingle = [&](std::span<const std::uint64_t> entries, Space& space,
                                TemplateMarks::Writer& writer) -> Result<void> {
    if (entries.size() <= TemplateRule::kRareFamilies) return {};
    if (sites == nullptr && entries.size() < TemplateRule::kFamilies &&
        std::ranges::none_of(entries, [&](std::uint64_t e) { return wants_common[low_half(e)]; }))
      return {};
    space.distinct.clear();
    for (const std::uint64_t entry : entries) space.distinct.push_back(families.family(low_half(entry)));
    std::sort(space.distinct.begin(), space.distinct.end());
    const auto count = static_cast<std::uint32_t>(std::unique(space.distinct.begin(), space.distinct.end()) -
                                                  space.distinct.begin());
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
    templates += somewhere ? 1 : 0;
    for (const Holder& holder : space.holders)
      if (asked[holder.document] && (holder.is_template || wants_common[holder.document]))
        LEITONG_TRY(
            writer.add(holder.document, {high_half(entries[0]), count, sites_here, holder.is_template}));
    return {};
  };
  const auto mark_partition = [&](std::size_t index, Space& space) -> Result<void> {
    const auto partition = static_cast<unsigned>(index);
    if (counts_ == nullptr) {
      LEITONG_TRY(entries_.load(partition, space.entries));
    } else {
      LEITONG_TRY(entries_.take(partition, space.entries));
      space.entries.resize_for_overwrite(static_cast<std::size_t>(
          std::remove_if(space.entries.begin(), space.entries.end(),
                         [&](std::uint64_t e) { return !counts_->enough(high_half(e)); }) -
          space.entries.begin()));
      radix_sort(space.entries, space.scratch, 32, 32 + kPartitionShift, [](std::uint64_t e) { return e; });
      LEITONG_TRY(entries_.put(partition, space.entries));
    }
    TemplateMarks::Writer writer(marks);
    const std::span<const std::uint64_t> all = space.entries;
    for (std::size_t i = 0, end; i < all.size(); i = end) {
      for (end = i + 1; end < all.size() && high_half(all[end]) == high_half(all[i]);) ++end;
      LEITONG_TRY(mark_shingle(all.subspan(i, end - i), space, writer));
    }
    return writer.flush();
  };
  LEITONG_TRY(parallel_for_each(
      run_.stop, Partitions::kCount, [] { return Space(); }, mark_partition));
  counts_.reset();
  templates_ = templates;
  return marks.sort();
}

}  // namespace leitong
