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

// The most losses that are asked for at once: as many as the memory of documents has room for.
std::size_t most_open(std::uint64_t documents) {
  return std::max<std::size_t>(documents / 8, std::size_t{1} << 20);
}

// What is known about a document while the lists are read. `open`: the decision depends on losses that are
// not known. `leaves`: the document leaves, but it may be open for which other document.
enum class Fate : std::uint8_t { stays, open, leaves };

}  // namespace

StarClusters::StarClusters(std::uint64_t documents, const PairStore& pairs, DocId protected_count,
                           const LossLimits& limits, bool asks)
    : documents_(documents),
      pairs_(pairs),
      protected_count_(protected_count),
      limits_(limits),
      asks_(asks),
      at_first_(pairs.run()) {}

// Lists each pair at its document of lower rank, in partitions that ascend with the ranks: the first half is
// for protected documents, which come before all others. Documents that may not leave are in no list.
Result<void> StarClusters::list(std::vector<std::uint32_t> rank) {
  if (pairs_.size() >= UINT32_MAX)
    return fail(ErrorCode::limit, "4,294,967,295 pairs and more are similar; raise the threshold");
  constexpr unsigned kHalf = Partitions::kCount / 2;
  const unsigned shift = Partitions::shift_for(documents_, kHalf);
  const auto half = [&](DocId d) { return d < protected_count_ ? 0U : kHalf; };
  Partitions::Writer writer(at_first_);
  if (asks_for_losses(limits_)) {
    known_.resize(pairs_.size(), true);
    leaves_.resize(pairs_.size());
  }
  std::uint32_t number = 0;
  LEITONG_TRY(pairs_.for_each([&](const VerifiedPair& pair, const PairLosses& losses) -> Result<void> {
    const std::uint32_t here = number++;
    auto [first, other] = std::pair(pair.a, pair.b);
    if (std::pair(half(other), rank[other]) < std::pair(half(first), rank[first])) std::swap(first, other);
    if (other < protected_count_) return {};
    const std::optional<Loss>& loss = other == pair.a ? losses.a : losses.b;
    const bool leaves = may_leave(limits_, pair.measure, loss);
    if (asks_for_losses(limits_)) {
      leaves_[here] = leaves;
      known_[here] = loss || !asks_;
      if (known_[here] && !leaves) return {};
    }
    return writer.append(half(first) + (rank[first] >> shift),
                         Entry{join_halves(rank[first], other), join_halves(here, first)});
  }));
  LEITONG_TRY(writer.flush());
  rank = std::vector<std::uint32_t>();  // an assignment of {} would keep the memory
  decisions_.resize(documents_);
  return {};
}

void StarClusters::learn(std::uint32_t pair, const Loss& loss) {
  leaves_[pair] = leaves_[pair] || allows(limits_, loss);
  known_[pair] = true;
}

Result<std::vector<OpenLoss>> StarClusters::decide(std::uint32_t at_once) {
  const bool by_losses = asks_for_losses(limits_);
  std::vector<OpenLoss> open;
  std::vector<Fate> fate(documents_, Fate::stays);
  for (DocId d = 0; d < documents_; ++d)
    if (decisions_[d].kept != kNoDocument && decisions_[d].kept != d) fate[d] = Fate::leaves;
  std::vector<std::uint32_t> asked(by_losses && asks_ ? documents_ : 0);
  PodVector<std::uint64_t> words;
  PodVector<Entry> entries, scratch;
  RunContext& run = pairs_.run();
  LEITONG_TRY(run.stop.check());  // no stage begins after a stop
  ProgressMeter meter(run, "clustering", Partitions::kCount, "parts of the documents");
  for (unsigned partition = 0; partition < Partitions::kCount; ++partition) {
    LEITONG_TRY(run.stop.check());
    meter.add();
    LEITONG_TRY(at_first_.take(partition, words));
    entries.clear();
    for (std::size_t i = 0; i < words.size(); i += 2) entries.push_back({words[i], words[i + 1]});
    radix_sort(entries, scratch, 0, 64, [](const Entry& entry) { return entry[0]; });
    words.clear();
    for (const Entry& entry : entries) {
      const DocId other = low_half(entry[0]), first = low_half(entry[1]);
      const std::uint32_t pair = high_half(entry[1]);
      // A document that certainly leaves may still leave for an earlier one, which comes first here.
      if (fate[first] == Fate::leaves || fate[other] == Fate::leaves) continue;
      const bool unknown = by_losses && !known_[pair];
      if (by_losses && !unknown && !leaves_[pair]) continue;
      if (!unknown && fate[first] == Fate::stays && fate[other] == Fate::stays) {
        decisions_[other] = {first, pair};
        decisions_[first].kept = first;
        fate[other] = Fate::leaves;
        continue;
      }
      words.append(entry);  // the next round looks at it again
      if (!unknown && fate[first] == Fate::stays) {
        fate[other] = Fate::leaves;
        continue;
      }
      fate[other] = Fate::open;
      if (unknown && asked[other] < at_once && open.size() < most_open(documents_)) {
        open.push_back({other, first, pair});
        ++asked[other];
      }
    }
    LEITONG_TRY(at_first_.put(partition, words));
  }
  return open;
}

Result<std::vector<Decision>> star_clusters(std::uint64_t documents, const PairStore& pairs,
                                            std::vector<std::uint32_t> rank, DocId protected_count) {
  StarClusters stars(documents, pairs, protected_count);
  LEITONG_TRY(stars.list(std::move(rank)));
  LEITONG_TRY(stars.decide());
  return stars.take_decisions();
}

Result<std::vector<DocId>> connected_components(std::uint64_t documents, const PairStore& pairs) {
  Kinship components(documents);
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair) { components.join(pair.a, pair.b); }));
  return components.take();
}

}  // namespace leitong
