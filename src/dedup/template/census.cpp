#include "dedup/template/census.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "base/halves.hpp"
#include "base/parallel.hpp"
#include "base/try.hpp"
#include "dedup/template/distinct_count.hpp"
#include "dedup/template/shingle_filter.hpp"
#include "dedup/template/shingle_holders.hpp"
#include "dedup/template/shingle_lists.hpp"
#include "dedup/template/tally.hpp"
#include "feature/shingle_set.hpp"
#include "io/progress_meter.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {
namespace {

// Lists for one thread which documents hold which shingles.
struct Lister {
  ShingledTexts::Reader reader;
  ShingleLists::Writer writer;
  PodVector<std::uint32_t> hits = {}, scratch = {};
};

// For each site, the families that have a document of it.
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
                             std::span<const std::uint32_t> base, RunContext& run)
    : texts_(texts), is_copy_(is_copy), sites_(sites), base_(base), run_(run) {
  holders_.emplace(run);
}

// The state of count() while it runs.
struct ShingleCensus::Counting {
  ShingleCensus& census;
  const Kinship& families;
  const std::vector<bool>& asked;
  const std::vector<bool>& wants_common;
  RunContext& run = census.run_;
  // Documents in question are read for their shingles, and then all others for these.
  ProgressMeter meter{run, "counting templates", asked.size(), "documents"};
  ShingleLists of_asked{run, run.memory.left() / 2};
  std::optional<ShingleLists> of_others = {};
  // Each loop begins with a lister for each thread, which must be flushed when the loop is done.
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
};

Result<void> ShingleCensus::Counting::read_asked() {
  const std::vector<DocId>& documents = census.asked_;
  census.shingles_.resize(documents.size(), 0);
  std::atomic<std::uint64_t> only_base{0};
  LEITONG_TRY(parallel_for_each(
      run.stop, documents.size(), [&] { return new_lister(of_asked); },
      [&](std::size_t i, Lister* lister) -> Result<void> {
        LEITONG_ASSIGN(const ShingledText text, census.texts_.text(documents[i], lister->reader));
        census.shingles_[i] = static_cast<std::uint32_t>(text.set.size());
        if (!census.base_.empty() && !text.set.empty() && std::ranges::includes(census.base_, text.set))
          ++only_base;
        meter.add();
        return lister->writer.add(documents[i], text.set);
      }));
  census.only_base_ = only_base;
  return flush();
}

// Estimates the number of distinct shingles: the documents of one family hold much the same.
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
  of_others.emplace(run, run.memory.left() / 2);
  LEITONG_TRY(parallel_for_each(
      run.stop, asked.size(), [&] { return new_lister(*of_others); },
      [&](std::size_t i, Lister* lister) -> Result<void> {
        const auto document = static_cast<DocId>(i);
        if (!asked[document]) meter.add();
        if (census.is_copy_[document] || asked[document]) return {};
        LEITONG_ASSIGN(const auto text, census.texts_.ordered(document, lister->reader));
        lister->hits.clear();
        filter.select(text, lister->hits);
        make_shingle_set(lister->hits, lister->scratch);
        return lister->writer.add(document, lister->hits);
      }));
  return flush();
}

Result<void> ShingleCensus::count(const Kinship& families, const std::vector<bool>& asked,
                                  const std::vector<bool>& wants_common) {
  LEITONG_TRY(run_.stop.check());  // no stage begins after a stop
  for (DocId d = 0; d < asked.size(); ++d)
    if (asked[d] && !is_copy_[d]) asked_.push_back(d);
  Counting counting{*this, families, asked, wants_common};
  LEITONG_TRY(counting.read_asked());
  const std::uint64_t expected = counting.expected_shingles();
  {
    const std::uint64_t room = run_.memory.for_buffers() / 8;
    const HeldMemory held(run_.memory, ShingleFilter::bytes(expected, room));
    ShingleFilter filter(expected, room);
    LEITONG_TRY(counting.fill(filter));
    LEITONG_TRY(counting.list_others(filter));
  }
  return tally_holders(
      {counting.of_asked, *counting.of_others, families, asked, wants_common, sites_ != nullptr, base_}, run_,
      *holders_);
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
  LEITONG_TRY(run_.stop.check());
  const Sites* const sites = sites_;
  std::vector<std::uint32_t> of_site;
  if (sites != nullptr) of_site = families_of_sites(families, *sites, is_copy_);
  std::atomic<std::uint64_t> templates{0};
  // One holder of a shingle: its site, its family and the document.
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
  // One for each thread. Its writers must be flushed when all threads are done.
  std::vector<std::unique_ptr<Space>> spaces;
  std::mutex mutex;
  const auto new_space = [&] {
    auto space = std::make_unique<Space>(Space{TemplateMarks::Writer(marks)});
    const std::scoped_lock lock(mutex);
    spaces.push_back(std::move(space));
    return spaces.back().get();
  };
  const bool templates_alone =
      sites == nullptr && std::ranges::find(wants_common, true) == wants_common.end();
  const std::uint32_t least = templates_alone ? TemplateRule::kFamilies : TemplateRule::kRareFamilies + 1;
  const auto mark_shingle = [&](const ShingleHolders& all, Space& space) -> Result<void> {
    const bool is_base = std::ranges::binary_search(base_, all.shingle);
    if (all.size() < least && !is_base) return {};
    space.distinct.clear(all.documents.size());
    for (const DocId document : all.documents) families.fetch(document);
    for (const DocId document : all.documents) space.distinct.add(families.family(document));
    const std::uint32_t count = all.families_elsewhere + space.distinct.count();
    if (count < least && !is_base) return {};
    const bool everywhere = is_base || is_template(count, all.size());
    if (sites == nullptr) {
      templates += everywhere ? 1 : 0;
      for (const DocId d : all.documents)
        if (asked[d] && (everywhere || wants_common[d]))
          LEITONG_TRY(space.writer.add(d, {all.shingle, count, 0, everywhere}));
      return {};
    }
    bool somewhere = everywhere;
    space.holders.clear();
    for (const DocId d : all.documents)
      space.holders.push_back({(*sites)[d], families.family(d), d, everywhere});
    std::uint32_t sites_here = 0;
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
    templates += somewhere ? 1 : 0;
    for (const Holder& holder : space.holders)
      if (asked[holder.document] && (holder.is_template || wants_common[holder.document]))
        LEITONG_TRY(space.writer.add(holder.document, {all.shingle, count, sites_here, holder.is_template}));
    return {};
  };
  ProgressMeter meter(run_, "marking templates", Partitions::kCount, "parts of the shingles");
  const auto mark_partition = [&](std::size_t index, Space* space) -> Result<void> {
    meter.add();
    LEITONG_TRY(holders_->load(static_cast<unsigned>(index), space->words));
    for (std::span<const std::uint64_t> left = space->words; !left.empty();)
      LEITONG_TRY(mark_shingle(ShingleHolders::take_from(left, space->documents), *space));
    return {};
  };
  LEITONG_TRY(parallel_for_each(run_.stop, Partitions::kCount, new_space, mark_partition));
  for (const auto& space : spaces) LEITONG_TRY(space->writer.flush());
  templates_ = templates;
  return marks.sort();
}

}  // namespace leitong
