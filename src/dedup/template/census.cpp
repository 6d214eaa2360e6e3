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
#include "dedup/template/family_counts.hpp"
#include "dedup/template/shingle_filter.hpp"
#include "dedup/template/shingle_lists.hpp"
#include "feature/shingle_set.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {
namespace {

constexpr unsigned kPartitionShift = 24;  // of a shingle
static_assert(UINT32_MAX >> kPartitionShift == Partitions::kCount - 1);

// Who holds what, from one thread.
struct Lister {
  ShingledTexts::Reader reader;
  ShingleLists::Writer writer;
  PodVector<std::uint32_t> hits = {}, scratch = {};
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

ShingleCensus::ShingleCensus(const ShingledTexts& texts, const std::vector<bool>& is_copy, const Sites* sites,
                             RunContext& run)
    : texts_(texts), is_copy_(is_copy), sites_(sites), run_(run) {
  holders_.emplace(run);
}

// The holders of a shingle. Those whose families have nobody who is asked for are only counted: their
// families stay what they are.
struct ShingleCensus::Holders {
  std::uint32_t shingle = 0;
  std::uint32_t families_elsewhere = 0, documents_elsewhere = 0;
  std::span<const std::uint32_t> documents;  // all others

  [[nodiscard]] std::uint64_t size() const noexcept {
    return std::uint64_t{documents_elsewhere} + documents.size();
  }
  // Two words, and one for two documents.
  void append_to(PodVector<std::uint64_t>& words) const {
    words.push_back(join_halves(shingle, static_cast<std::uint32_t>(documents.size())));
    words.push_back(join_halves(families_elsewhere, documents_elsewhere));
    for (std::size_t i = 0; i < documents.size(); i += 2)
      words.push_back(join_halves(i + 1 < documents.size() ? documents[i + 1] : 0, documents[i]));
  }
  // Takes the first of `words`; `space` keeps the documents.
  static Holders take_from(std::span<const std::uint64_t>& words, PodVector<std::uint32_t>& space) {
    const std::uint32_t n = low_half(words[0]);
    space.clear();
    const std::size_t end = 2 + (std::size_t{n} + 1) / 2;
    for (std::size_t i = 2; i < end; ++i) {
      space.push_back(low_half(words[i]));
      space.push_back(high_half(words[i]));
    }
    const Holders holders{high_half(words[0]), high_half(words[1]), low_half(words[1]),
                          std::span<const std::uint32_t>(space).first(n)};
    words = words.subspan(end);
    return holders;
  }
};

// What count() has until it is done.
struct ShingleCensus::Counting {
  ShingleCensus& census;
  const Kinship& families;
  const std::vector<bool>& asked;
  const std::vector<bool>& wants_common;
  RunContext& run = census.run_;
  ShingleLists of_asked{run, run.memory.for_buffers() / 4}, of_others{run, run.memory.for_buffers() / 4};
  // The loops begin with a lister for each thread, which must be flushed when all are done.
  std::vector<std::unique_ptr<Lister>> listers = {};
  std::mutex mutex = {};

  Lister* new_lister(ShingleLists& lists) {
    auto lister = std::make_unique<Lister>(Lister{census.texts_.new_reader(), ShingleLists::Writer(lists)});
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
  [[nodiscard]] std::vector<bool> are_alone(const std::vector<bool>& is_open) const;
  Result<void> tally(std::uint64_t expected);
};

Result<void> ShingleCensus::Counting::read_asked() {
  const std::vector<DocId>& documents = census.asked_;
  census.shingles_.resize(documents.size(), 0);
  LEITONG_TRY(parallel_for_each(
      run.stop, documents.size(), [&] { return new_lister(of_asked); },
      [&](std::size_t i, Lister* lister) -> Result<void> {
        LEITONG_ASSIGN(const ShingledText text, census.texts_.text(documents[i], lister->reader));
        census.shingles_[i] = static_cast<std::uint32_t>(text.set.size());
        return lister->writer.add(documents[i], text.set);
      }));
  return flush();
}

// About how many different ones there are: documents of one family hold much the same.
std::uint64_t ShingleCensus::Counting::expected_shingles() const {
  std::vector<std::uint64_t> sizes;  // of each family
  for (std::size_t i = 0; i < census.asked_.size(); ++i)
    sizes.push_back(join_halves(families.family(census.asked_[i]), census.shingles_[i]));
  std::sort(sizes.begin(), sizes.end());
  std::uint64_t shingles = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (i + 1 == sizes.size() || high_half(sizes[i + 1]) != high_half(sizes[i]))
      shingles += low_half(sizes[i]);
  return shingles;
}

Result<void> ShingleCensus::Counting::fill(ShingleFilter& filter) {
  return parallel_for_each(
      run.stop, ShingleLists::kRanges, [] { return PodVector<std::uint64_t>(); },
      [&](std::size_t range, PodVector<std::uint64_t>& words) {
        return of_asked.for_each(static_cast<unsigned>(range), words,
                                 [&](std::uint32_t shingle, DocId) { filter.insert(shingle); });
      });
}

Result<void> ShingleCensus::Counting::list_others(const ShingleFilter& filter) {
  LEITONG_TRY(parallel_for_each(
      run.stop, asked.size(), [&] { return new_lister(of_others); },
      [&](std::size_t i, Lister* lister) -> Result<void> {
        const auto document = static_cast<DocId>(i);
        if (census.is_copy_[document] || asked[document]) return {};
        LEITONG_ASSIGN(const auto text, census.texts_.ordered(document, lister->reader));
        lister->hits.clear();
        filter.select(text, lister->hits);
        make_shingle_set(lister->hits, lister->scratch);
        return lister->writer.add(document, lister->hits);
      }));
  return flush();
}

// Whose families can be counted without asking who they are: documents that are alone in theirs, where nobody
// is to be told apart.
std::vector<bool> ShingleCensus::Counting::are_alone(const std::vector<bool>& is_open) const {
  std::vector<bool> seen(asked.size()), alone(asked.size());
  for (DocId d = 0; d < asked.size(); ++d) {
    const DocId family = families.family(d);
    alone[family] = !seen[family] && !is_open[family] && family == d;
    seen[family] = true;
  }
  return alone;
}

// Of all that was listed, what enough families hold, and somebody who is asked for.
Result<void> ShingleCensus::Counting::tally(std::uint64_t expected) {
  const bool has_sites = census.sites_ != nullptr;
  const std::uint32_t least = has_sites ? TemplateRule::kSiteFamilies : TemplateRule::kFamilies;
  constexpr std::uint32_t kCommon = TemplateRule::kRareFamilies + 1;
  std::vector<bool> is_open(asked.size());  // families whose documents are to be told apart
  for (DocId d = 0; d < asked.size(); ++d)
    if (asked[d] || has_sites) is_open[families.family(d)] = true;
  const std::vector<bool> alone = are_alone(is_open);
  const auto are_enough = [&](std::uint64_t count, bool is_wanted) {
    return count >= (is_wanted ? kCommon : least);
  };
  struct Space {
    FamilyCounts counts;
    PodVector<std::uint64_t> words, found, scratch, kept;
    PodVector<std::uint32_t> documents;
    DistinctCount open, elsewhere;
  };
  // Appends the holders of one shingle to `kept` if they are of interest: those of `entries`, and some alone.
  const auto keep = [&](std::span<const std::uint64_t> entries, Space& space) {
    const FamilyCounts::Count& count = *space.counts.find(high_half(entries[0]));
    space.documents.clear();
    space.open.clear(entries.size());
    space.elsewhere.clear(entries.size());
    for (const std::uint64_t entry : entries) {
      const DocId document = low_half(entry), family = families.family(document);
      (is_open[family] ? space.open : space.elsewhere).add(family);
      if (is_open[family]) space.documents.push_back(document);
    }
    const std::uint32_t elsewhere = count.alone + space.elsewhere.count();
    if (!are_enough(std::uint64_t{elsewhere} + space.open.count(), count.wanted)) return;
    Holders{count.shingle, elsewhere,
            static_cast<std::uint32_t>(count.alone + entries.size() - space.documents.size()),
            space.documents}
        .append_to(space.kept);
  };
  // A range is looked at in as many parts as it takes for the tables of all threads to have room.
  const std::uint64_t room = run.memory.for_buffers() / 8 / threads_here();
  unsigned part_bits = 0;
  while (part_bits < ShingleLists::kRestBits &&
         FamilyCounts::bytes(expected / ShingleLists::kRanges >> part_bits) > room)
    ++part_bits;
  const auto tally_part = [&](unsigned range, std::uint32_t part, Space& space) -> Result<void> {
    const auto is_here = [&](std::uint32_t shingle) {
      return (shingle & ((1U << ShingleLists::kRestBits) - 1)) >> (ShingleLists::kRestBits - part_bits) ==
             part;
    };
    FamilyCounts& counts = space.counts;
    counts.clear(expected / ShingleLists::kRanges >> part_bits);
    LEITONG_TRY(of_asked.for_each(range, space.words, [&](std::uint32_t shingle, DocId document) {
      if (is_here(shingle)) counts.insert(shingle, families.family(document), wants_common[document]);
    }));
    PodVector<std::uint64_t>& found = space.found;
    found.clear();
    LEITONG_TRY(of_others.for_each(range, space.words, [&](std::uint32_t shingle, DocId document) {
      FamilyCounts::Count* const count = is_here(shingle) ? counts.find(shingle) : nullptr;
      if (count == nullptr) return;
      if (alone[document]) {
        ++count->alone;
        return;
      }
      count->add(families.family(document));
      found.push_back(join_halves(shingle, document));
    }));
    const auto may_matter = [&](std::uint32_t shingle) {
      const FamilyCounts::Count& count = *counts.find(shingle);
      return are_enough(count.families(), count.wanted);
    };
    const auto end_of_found = std::remove_if(
        found.begin(), found.end(), [&](std::uint64_t entry) { return !may_matter(high_half(entry)); });
    found.resize_for_overwrite(static_cast<std::size_t>(end_of_found - found.begin()));
    LEITONG_TRY(of_asked.for_each(range, space.words, [&](std::uint32_t shingle, DocId document) {
      if (is_here(shingle) && may_matter(shingle)) found.push_back(join_halves(shingle, document));
    }));
    radix_sort(found, space.scratch, 32, 32 + ShingleLists::kRestBits,
               [](std::uint64_t entry) { return entry; });
    const std::span<const std::uint64_t> all = found;
    const auto partition_of = [&](std::size_t i) { return high_half(all[i]) >> kPartitionShift; };
    space.kept.clear();
    for (std::size_t i = 0, end; i < all.size(); i = end) {
      for (end = i + 1; end < all.size() && high_half(all[end]) == high_half(all[i]);) ++end;
      keep(all.subspan(i, end - i), space);
      if (end < all.size() && partition_of(end) == partition_of(i)) continue;
      LEITONG_TRY(census.holders_->put(partition_of(i), space.kept));
      space.kept.clear();
    }
    return {};
  };
  return parallel_for_each(
      run.stop, ShingleLists::kRanges, [] { return Space(); },
      [&](std::size_t range, Space& space) -> Result<void> {
        for (std::uint32_t part = 0; part >> part_bits == 0; ++part)
          LEITONG_TRY(tally_part(static_cast<unsigned>(range), part, space));
        return {};
      });
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
    PodVector<std::uint64_t> words = {};
    PodVector<std::uint32_t> documents = {};
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
  const auto mark_shingle = [&](const Holders& all, Space& space) -> Result<void> {
    space.distinct.clear(all.documents.size());
    for (const DocId document : all.documents) space.distinct.add(families.family(document));
    const std::uint32_t count = all.families_elsewhere + space.distinct.count();
    if (count <= TemplateRule::kRareFamilies) return {};
    const bool everywhere = is_template(count, all.size());
    if (!everywhere && sites == nullptr &&
        std::ranges::none_of(all.documents, [&](DocId document) { return wants_common[document]; }))
      return {};
    bool somewhere = everywhere;
    space.holders.clear();
    for (const DocId d : all.documents)
      space.holders.push_back({sites == nullptr ? 0 : (*sites)[d], families.family(d), d, everywhere});
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
        LEITONG_TRY(space.writer.add(holder.document, {all.shingle, count, sites_here, holder.is_template}));
    return {};
  };
  const auto mark_partition = [&](std::size_t index, Space* space) -> Result<void> {
    LEITONG_TRY(holders_->load(static_cast<unsigned>(index), space->words));
    for (std::span<const std::uint64_t> left = space->words; !left.empty();)
      LEITONG_TRY(mark_shingle(Holders::take_from(left, space->documents), *space));
    return {};
  };
  LEITONG_TRY(parallel_for_each(run_.stop, Partitions::kCount, new_space, mark_partition));
  for (const auto& space : spaces) LEITONG_TRY(space->writer.flush());
  templates_ = templates;
  return marks.sort();
}

}  // namespace leitong
