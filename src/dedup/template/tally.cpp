#include "dedup/template/tally.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/halves.hpp"
#include "base/parallel.hpp"
#include "base/radix_sort.hpp"
#include "base/try.hpp"
#include "dedup/template/distinct_count.hpp"
#include "dedup/template/family_counts.hpp"
#include "dedup/template/shingle_holders.hpp"
#include "io/arena.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {
namespace {

constexpr unsigned kPartitionShift = 24;  // in bits of a shingle
static_assert(UINT32_MAX >> kPartitionShift == Partitions::kCount - 1);
static_assert(TemplateRule::kSiteFamilies <= TemplateRule::kRareFamilies + 1 &&
              TemplateRule::kRareFamilies < TemplateRule::kFamilies);

// The entries of a range, grouped by the next bits of the shingle, so that the hash table of one group fits
// the cache.
class Buckets {
 public:
  static constexpr unsigned kBits = 8, kCount = 1U << kBits;

  /// `shift` is the place of these bits in an entry (shingle, document). Changes `entries`.
  void fill(PodVector<std::uint64_t>& entries, unsigned shift) {
    begin_.fill(0);
    const auto bucket_of = [&](std::uint64_t entry) { return entry >> shift & (kCount - 1); };
    for (const std::uint64_t entry : entries) ++begin_[bucket_of(entry) + 1];
    for (unsigned bucket = 0; bucket < kCount; ++bucket) begin_[bucket + 1] += begin_[bucket];
    auto next = begin_;
    entries_.resize_for_overwrite(entries.size());
    for (const std::uint64_t entry : entries) entries_[next[bucket_of(entry)]++] = entry;
  }
  [[nodiscard]] std::span<const std::uint64_t> operator[](unsigned bucket) const noexcept {
    return {entries_.data() + begin_[bucket], begin_[bucket + 1] - begin_[bucket]};
  }

 private:
  PodVector<std::uint64_t> entries_;
  std::array<std::size_t, kCount + 1> begin_ = {};
};

class Tally {
 public:
  Tally(const TallyInput& input, RunContext& run, Partitions& holders)
      : input_(input),
        holders_(holders),
        is_open_(input.asked.size()),
        is_alone_(input.asked.size()),
        held_(run.memory) {
    for (DocId d = 0; d < input.asked.size(); ++d)
      if (input.asked[d] || input.has_sites) is_open_[input.families.family(d)] = true;
    std::vector<bool> seen(input.asked.size());
    for (DocId d = 0; d < input.asked.size(); ++d) {
      const DocId family = input.families.family(d);  // the family's first document
      is_alone_[family] = !seen[family] && !is_open_[family];
      seen[family] = true;
    }
    const std::uint64_t room = run.memory.for_buffers() / 8 / threads_here();
    while (part_bits_ < kMostPartBits && bytes_of_part() > room) ++part_bits_;
    held_.set(std::min(bytes_of_part(), room) * threads_here());
  }

  // The working space of a thread.
  struct Space {
    FamilyCounts counts;
    PodVector<std::uint64_t> words, entries, found, scratch, kept;
    Buckets asked, others;
    PodVector<std::uint32_t> documents;
    DistinctCount open, elsewhere;
  };
  Result<void> tally(unsigned range, Space& space) const {
    for (std::uint32_t part = 0; part >> part_bits_ == 0; ++part) {
      LEITONG_TRY(gather(input_.of_asked, {range, part}, space, space.asked));
      LEITONG_TRY(gather(input_.of_others, {range, part}, space, space.others));
      for (unsigned bucket = 0; bucket < Buckets::kCount; ++bucket) {
        if (space.asked[bucket].empty()) continue;
        count(space.asked[bucket], space.others[bucket], space);
        keep_found(space);
        LEITONG_TRY(holders_.put(high_half(space.asked[bucket][0]) >> kPartitionShift, space.kept));
      }
    }
    for (ShingleLists* lists : {&input_.of_asked, &input_.of_others}) lists->forget(range);
    return {};
  }

 private:
  // A range is processed in as many parts as necessary for the entries of all threads to have room.
  struct Part {
    unsigned range;
    std::uint32_t number;
  };
  static constexpr unsigned kMostPartBits = ShingleLists::kRestBits - Buckets::kBits;

  // An entry lies in a list and in a bucket.
  [[nodiscard]] std::uint64_t bytes_of_part() const noexcept {
    const std::uint64_t entries = input_.of_asked.size() + input_.of_others.size();
    return 2 * sizeof(std::uint64_t) * (entries / ShingleLists::kRanges >> part_bits_);
  }
  // The place of the bits of an entry that separate the buckets of a part.
  [[nodiscard]] unsigned bucket_shift() const noexcept {
    return 32 + ShingleLists::kRestBits - part_bits_ - Buckets::kBits;
  }
  [[nodiscard]] bool is_in(const Part& part, std::uint32_t shingle) const noexcept {
    constexpr std::uint32_t kRest = (1U << ShingleLists::kRestBits) - 1;
    return (shingle & kRest) >> (ShingleLists::kRestBits - part_bits_) == part.number;
  }
  Result<void> gather(const ShingleLists& lists, const Part& part, Space& space, Buckets& buckets) const {
    space.entries.clear();
    LEITONG_TRY(lists.for_each(part.range, space.words, [&](std::uint32_t shingle, DocId document) {
      if (is_in(part, shingle)) space.entries.push_back(join_halves(shingle, document));
    }));
    buckets.fill(space.entries, bucket_shift());
    return {};
  }

  [[nodiscard]] bool are_enough(std::uint64_t families, bool wanted) const noexcept {
    constexpr std::uint32_t kCommon = TemplateRule::kRareFamilies + 1;
    return families >= (wanted             ? kCommon
                        : input_.has_sites ? TemplateRule::kSiteFamilies
                                           : TemplateRule::kFamilies);
  }
  [[nodiscard]] bool is_base(std::uint32_t shingle) const noexcept {
    return std::ranges::binary_search(input_.base, shingle);
  }
  [[nodiscard]] bool may_matter(std::uint64_t entry, FamilyCounts& counts) const noexcept {
    const FamilyCounts::Count& count = *counts.find(high_half(entry));
    return are_enough(count.families(), count.wanted) || is_base(count.shingle);
  }

  // Counts families, and finds the documents that hold shingles that may matter, except those whose families
  // need not be told apart.
  void count(std::span<const std::uint64_t> asked, std::span<const std::uint64_t> others,
             Space& space) const {
    FamilyCounts& counts = space.counts;
    counts.clear(asked.size() / 2);
    constexpr std::size_t kAhead = 16;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (i + kAhead < asked.size()) input_.families.fetch(low_half(asked[i + kAhead]));
      const std::uint64_t entry = asked[i];
      const DocId document = low_half(entry);
      counts.insert(high_half(entry), input_.families.family(document), input_.wants_common[document]);
    }
    PodVector<std::uint64_t>& found = space.found;
    found.clear();
    for (const std::uint64_t entry : others) {
      FamilyCounts::Count* const count = counts.find(high_half(entry));
      if (count == nullptr) continue;
      const DocId document = low_half(entry);
      if (is_alone_[document]) {
        ++count->alone;
        continue;
      }
      count->add(input_.families.family(document));
      found.push_back(entry);
    }
    const auto end = std::remove_if(found.begin(), found.end(),
                                    [&](std::uint64_t entry) { return !may_matter(entry, counts); });
    found.resize_for_overwrite(static_cast<std::size_t>(end - found.begin()));
    for (const std::uint64_t entry : asked)
      if (may_matter(entry, counts)) found.push_back(entry);
  }

  void keep_found(Space& space) const {
    radix_sort(space.found, space.scratch, 32, bucket_shift(), [](std::uint64_t entry) { return entry; });
    const std::span<const std::uint64_t> found = space.found;
    space.kept.clear();
    for (std::size_t i = 0, end; i < found.size(); i = end) {
      for (end = i + 1; end < found.size() && high_half(found[end]) == high_half(found[i]);) ++end;
      keep(found.subspan(i, end - i), space);
    }
  }

  // Appends the holders of one shingle to `kept` if enough families hold it.
  void keep(std::span<const std::uint64_t> entries, Space& space) const {
    const FamilyCounts::Count& count = *space.counts.find(high_half(entries[0]));
    space.documents.clear();
    space.open.clear(entries.size());
    space.elsewhere.clear(entries.size());
    for (const std::uint64_t entry : entries) {
      const DocId document = low_half(entry), family = input_.families.family(document);
      (is_open_[family] ? space.open : space.elsewhere).add(family);
      if (is_open_[family]) space.documents.push_back(document);
    }
    const std::uint32_t elsewhere = count.alone + space.elsewhere.count();
    if (!are_enough(std::uint64_t{elsewhere} + space.open.count(), count.wanted) && !is_base(count.shingle))
      return;
    const auto documents_elsewhere =
        static_cast<std::uint32_t>(count.alone + entries.size() - space.documents.size());
    ShingleHolders{count.shingle, elsewhere, documents_elsewhere, space.documents}.append_to(space.kept);
  }

  const TallyInput& input_;
  Partitions& holders_;
  std::vector<bool> is_open_;   // by family: true if its documents are told apart
  std::vector<bool> is_alone_;  // by document: true if it is a whole family that is not open
  unsigned part_bits_ = 0;
  HeldMemory held_;  // memory of the entries of all threads
};

}  // namespace

Result<void> tally_holders(const TallyInput& input, RunContext& run, Partitions& holders) {
  const Tally tally(input, run, holders);
  return parallel_for_each(
      run.stop, ShingleLists::kRanges, [] { return Tally::Space(); },
      [&](std::size_t range, Tally::Space& space) {
        return tally.tally(static_cast<unsigned>(range), space);
      });
}

}  // namespace leitong
