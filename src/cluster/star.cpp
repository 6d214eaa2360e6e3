#include "cluster/star.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/halves.hpp"
#include "base/radix_sort.hpp"
#include "base/try.hpp"
#include "cluster/kinship.hpp"
#include "io/partitions.hpp"
#include "io/progress_meter.hpp"

namespace leitong {
namespace {

// A pair, listed at the document of lower rank: this rank and the other document, the number of the pair and
// the first document.
using Entry = std::array<std::uint64_t, 2>;

// The most losses that are requested at once: 8 MB.
constexpr std::size_t kMostOpen = std::size_t{1} << 20;

// May the later document of a pair leave for the first one?
enum class May : std::uint8_t { leave, stay, unknown };

May may_leave_by(Measure measure, const std::optional<Loss>& loss, const LeaveRule& rule) {
  if (asks_for_losses(rule.limits) && !loss && rule.asks) return May::unknown;
  return may_leave(rule.limits, measure, loss) ? May::leave : May::stay;
}

struct Lists {
  Partitions at_first;        // Entries
  std::vector<bool> unknown;  // for each pair: is it unknown whether the later document may leave?
};

// Lists each pair at its document of lower rank, in partitions that ascend with the ranks: the first half is
// for protected documents, which come before all others. Documents that may not leave are in no list.
Result<void> list_at_first(std::uint64_t documents, const PairStore& pairs,
                           const std::vector<std::uint32_t>& rank, DocId protected_count,
                           const LeaveRule& rule, Lists& lists) {
  constexpr unsigned kHalf = Partitions::kCount / 2;
  const unsigned shift = Partitions::shift_for(documents, kHalf);
  const auto half = [&](DocId d) { return d < protected_count ? 0U : kHalf; };
  Partitions::Writer writer(lists.at_first);
  if (asks_for_losses(rule.limits)) lists.unknown.resize(pairs.size());
  std::uint32_t number = 0;
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair, const PairLosses& losses) -> Result<void> {
    const std::uint32_t here = number++;
    auto [first, other] = std::pair(pair.a, pair.b);
    if (std::pair(half(other), rank[other]) < std::pair(half(first), rank[first])) std::swap(first, other);
    if (other < protected_count) return {};
    const May may = may_leave_by(pair.measure, other == pair.a ? losses.a : losses.b, rule);
    if (may == May::stay) return {};
    if (may == May::unknown) lists.unknown[here] = true;
    return writer.append(half(first) + (rank[first] >> shift),
                         Entry{join_halves(rank[first], other), join_halves(here, first)});
  }));
  return writer.flush();
}

// What is known about a document while the lists are read. `open`: the decision depends on losses that are
// not computed. `leaves`: the document leaves, but it may be open for which other document.
enum class Fate : std::uint8_t { stays, open, leaves };

}  // namespace

Result<Stars> star_clusters(std::uint64_t documents, const PairStore& pairs, std::vector<std::uint32_t> rank,
                            DocId protected_count, const LeaveRule& rule) {
  if (pairs.size() >= UINT32_MAX)
    return fail(ErrorCode::limit, "4,294,967,295 pairs and more are similar; raise the threshold");
  Lists lists{Partitions(pairs.run()), {}};
  LEITONG_TRY(list_at_first(documents, pairs, rank, protected_count, rule, lists));
  rank = std::vector<std::uint32_t>();  // an assignment of {} would keep the memory

  Stars stars;
  stars.decisions.resize(documents);
  std::vector<Fate> fate(documents, Fate::stays);
  std::vector<std::uint32_t> asked(asks_for_losses(rule.limits) ? documents : 0);
  PodVector<std::uint64_t> words;
  PodVector<Entry> entries, scratch;
  LEITONG_TRY(pairs.run().stop.check());  // no stage begins after a stop
  ProgressMeter meter(pairs.run(), "clustering", Partitions::kCount, "parts of the documents");
  for (unsigned partition = 0; partition < Partitions::kCount; ++partition) {
    LEITONG_TRY(pairs.run().stop.check());
    meter.add();
    LEITONG_TRY(lists.at_first.take(partition, words));
    entries.clear();
    for (std::size_t i = 0; i < words.size(); i += 2) entries.push_back({words[i], words[i + 1]});
    radix_sort(entries, scratch, 0, 64, [](const Entry& entry) { return entry[0]; });
    for (const auto& [ranked, numbered] : entries) {
      const DocId other = low_half(ranked), first = low_half(numbered);
      const std::uint32_t pair = high_half(numbered);
      if (fate[first] == Fate::leaves) continue;
      // A document that certainly leaves may still leave for an earlier one, which comes first here.
      if (fate[other] == Fate::leaves) continue;
      const bool unknown = !lists.unknown.empty() && lists.unknown[pair];
      if (unknown && asked[other] < rule.at_once && stars.open.size() < kMostOpen) {
        stars.open.push_back({other, first});
        ++asked[other];
      }
      if (unknown || fate[first] == Fate::open) {
        fate[other] = Fate::open;
        continue;
      }
      if (fate[other] != Fate::open) {
        stars.decisions[other] = {first, pair};
        stars.decisions[first].kept = first;
      }
      fate[other] = Fate::leaves;
    }
  }
  return stars;
}

Result<std::vector<DocId>> connected_components(std::uint64_t documents, const PairStore& pairs) {
  Kinship components(documents);
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair) { components.join(pair.a, pair.b); }));
  return components.take();
}

}  // namespace leitong
