#include "dedup/template/tally.hpp"

#include <algorithm>
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

constexpr unsigned kPartitionShift = 24;  // of a shingle
static_assert(UINT32_MAX >> kPartitionShift == Partitions::kCount - 1);
static_assert(TemplateRule::kSiteFamilies <= TemplateRule::kRareFamilies + 1 &&
              TemplateRule::kRareFamilies < TemplateRule::kFamilies);

class Tally {
 public:
  Tally(const TallyInput& input, RunContext& run, Partitions& holders)
      : input_(input), holders_(holders), is_open_(input.asked.size()), is_alone_(input.asked.size()) {
    for (DocId d = 0; d < input.asked.size(); ++d)
      if (input.asked[d] || input.has_sites) is_open_[input.families.family(d)] = true;
    std::vector<bool> seen(input.asked.size());
    for (DocId d = 0; d < input.asked.size(); ++d) {
      const DocId family = input.families.family(d);  // the first document of it
      is_alone_[family] = !seen[family] && !is_open_[family];
      seen[family] = true;
    }
    const std::uint64_t room = run.memory.for_buffers() / 8 / threads_here();
    while (part_bits_ < ShingleLists::kRestBits && FamilyCounts::bytes(shingles_of_part()) > room)
      ++part_bits_;
  }

  // What one thread works with.
  struct Space {
    FamilyCounts counts;
    PodVector<std::uint64_t> words, found, scratch, kept;
    PodVector<std::uint32_t> documents;
    DistinctCount open, elsewhere;
  };
  Result<void> tally(unsigned range, Space& space) const {
    for (std::uint32_t part = 0; part >> part_bits_ == 0; ++part) {
      LEITONG_TRY(count({range, part}, space));
      LEITONG_TRY(list_asked({range, part}, space));
      LEITONG_TRY(put_found(space));
    }
    return {};
  }

 private:
  // A range is looked at in as many parts as it takes for the tables of all threads to have room.
  struct Part {
    unsigned range;
    std::uint32_t number;
  };
  [[nodiscard]] std::uint64_t shingles_of_part() const noexcept {
    return input_.shingles / ShingleLists::kRanges >> part_bits_;
  }
  [[nodiscard]] bool is_in(const Part& part, std::uint32_t shingle) const noexcept {
    constexpr std::uint32_t kRest = (1U << ShingleLists::kRestBits) - 1;
    return (shingle & kRest) >> (ShingleLists::kRestBits - part_bits_) == part.number;
  }
  [[nodiscard]] bool are_enough(std::uint64_t families, bool wanted) const noexcept {
    constexpr std::uint32_t kCommon = TemplateRule::kRareFamilies + 1;
    return families >= (wanted             ? kCommon
                        : input_.has_sites ? TemplateRule::kSiteFamilies
                                           : TemplateRule::kFamilies);
  }
  [[nodiscard]] bool may_matter(std::uint32_t shingle, FamilyCounts& counts) const noexcept {
    const FamilyCounts::Count& count = *counts.find(shingle);
    return are_enough(count.families(), count.wanted);
  }

  // Counts families, and finds the other documents that hold what may matter, but for those whose families
  // need not be told apart.
  Result<void> count(const Part& part, Space& space) const {
    FamilyCounts& counts = space.counts;
    counts.clear(shingles_of_part());
    LEITONG_TRY(input_.of_asked.for_each(part.range, space.words, [&](std::uint32_t shingle, DocId document) {
      if (is_in(part, shingle))
        counts.insert(shingle, input_.families.family(document), input_.wants_common[document]);
    }));
    PodVector<std::uint64_t>& found = space.found;
    found.clear();
    LEITONG_TRY(
        input_.of_others.for_each(part.range, space.words, [&](std::uint32_t shingle, DocId document) {
          FamilyCounts::Count* const count = is_in(part, shingle) ? counts.find(shingle) : nullptr;
          if (count == nullptr) return;
          if (is_alone_[document]) {
            ++count->alone;
            return;
          }
          count->add(input_.families.family(document));
          found.push_back(join_halves(shingle, document));
        }));
    const auto end = std::remove_if(found.begin(), found.end(), [&](std::uint64_t entry) {
      return !may_matter(high_half(entry), counts);
    });
    found.resize_for_overwrite(static_cast<std::size_t>(end - found.begin()));
    return {};
  }

  Result<void> list_asked(const Part& part, Space& space) const {
    return input_.of_asked.for_each(part.range, space.words, [&](std::uint32_t shingle, DocId document) {
      if (is_in(part, shingle) && may_matter(shingle, space.counts))
        space.found.push_back(join_halves(shingle, document));
    });
  }

  Result<void> put_found(Space& space) const {
    radix_sort(space.found, space.scratch, 32, 32 + ShingleLists::kRestBits,
               [](std::uint64_t entry) { return entry; });
    const std::span<const std::uint64_t> found = space.found;
    const auto partition_of = [&](std::size_t i) { return high_half(found[i]) >> kPartitionShift; };
    space.kept.clear();
    for (std::size_t i = 0, end; i < found.size(); i = end) {
      for (end = i + 1; end < found.size() && high_half(found[end]) == high_half(found[i]);) ++end;
      keep(found.subspan(i, end - i), space);
      if (end < found.size() && partition_of(end) == partition_of(i)) continue;
      LEITONG_TRY(holders_.put(partition_of(i), space.kept));
      space.kept.clear();
    }
    return {};
  }

  // Appends the holders of one shingle to `kept` if families enough hold it.
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
    if (!are_enough(std::uint64_t{elsewhere} + space.open.count(), count.wanted)) return;
    const auto documents_elsewhere =
        static_cast<std::uint32_t>(count.alone + entries.size() - space.documents.size());
    ShingleHolders{count.shingle, elsewhere, documents_elsewhere, space.documents}.append_to(space.kept);
  }

  const TallyInput& input_;
  Partitions& holders_;
  std::vector<bool> is_open_;   // by family: are its documents to be told apart?
  std::vector<bool> is_alone_;  // by document: is it all of its family, which is not open?
  unsigned part_bits_ = 0;
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
