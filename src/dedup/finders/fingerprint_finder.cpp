// Finds fingerprints within a Hamming distance. In groups of up to 64 documents with one fingerprint all are
// paired; in larger groups two leaders represent all.
#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

#include "base/try.hpp"
#include "dedup/finders/finders.hpp"
#include "dedup/finders/in_memory.hpp"
#include "index/hamming/join/join.hpp"

namespace leitong {
namespace {

/// The second element is 0 for 64 bits.
using Fingerprint = std::array<std::uint64_t, 2>;

constexpr std::uint32_t kLeaders = 2;
// Fingerprint and document, sorted and unsorted; the groups; and what the join keeps.
constexpr std::uint64_t kFingerprintBytesEach = 24 + 24 + 16 + 8 + 32;

unsigned distance_of(const Fingerprint& a, const Fingerprint& b) {
  return static_cast<unsigned>(std::popcount(a[0] ^ b[0]) + std::popcount(a[1] ^ b[1]));
}

class FingerprintFinder final : public PairFinder {
 public:
  FingerprintFinder(const FinderContext& context, unsigned bits, unsigned distance)
      : bits_(bits),
        distance_(distance),
        table_(context.table),
        memory_(context),
        context_(context.run.context) {}

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override;
  Result<void> find(CandidateSink& sink) override;
  [[nodiscard]] MethodFigures figures() const override;

 private:
  struct Signed {
    Fingerprint fingerprint;
    DocId document;
  };
  /// The documents of one fingerprint: [begin, end) of the sorted ones.
  struct Group {
    std::uint32_t begin, end;
    [[nodiscard]] std::uint32_t size() const noexcept { return end - begin; }
  };

  void collapse();
  Result<void> join(CandidateBatch& candidates);
  Result<void> join_half(unsigned half, unsigned distance, CandidateBatch& candidates);
  Result<void> offer(std::uint32_t i, std::uint32_t j, double score, CandidateBatch& candidates) const;
  Result<void> pair_within(const Group& group, CandidateBatch& candidates) const;
  Result<void> pair_across(const Group& x, const Group& y, unsigned distance,
                           CandidateBatch& candidates) const;

  unsigned bits_, distance_;
  const DocumentTable& table_;
  SketchMemory memory_;
  const Context& context_;
  PodVector<Signed> documents_;
  PodVector<Group> groups_;
  std::uint64_t compared_ = 0, large_groups_ = 0, starred_ = 0, offered_ = 0;
};

Result<void> FingerprintFinder::add(DocId document, std::span<const std::uint64_t> words) {
  if (words.empty()) return {};
  documents_.push_back({{words[0], words.size() > 1 ? words[1] : 0}, document});
  return memory_.check(documents_.size(), kFingerprintBytesEach);
}

Result<void> FingerprintFinder::find(CandidateSink& sink) {
  CandidateBatch candidates(sink);
  collapse();
  for (const Group& group : groups_) LEITONG_TRY(pair_within(group, candidates));
  LEITONG_TRY(join(candidates));
  LEITONG_TRY(candidates.finish());
  offered_ = candidates.size();
  return {};
}

/// Sorts the documents by fingerprint and those of one fingerprint by content, and lists the groups.
void FingerprintFinder::collapse() {
  const auto order = [this](const Signed& x) {
    return std::tuple(x.fingerprint, table_.content[x.document], x.document);
  };
  std::sort(documents_.begin(), documents_.end(),
            [&](const Signed& x, const Signed& y) { return order(x) < order(y); });
  for (std::uint32_t begin = 0, end; begin < documents_.size(); begin = end) {
    end = begin + 1;
    while (end < documents_.size() && documents_[end].fingerprint == documents_[begin].fingerprint) ++end;
    groups_.push_back({begin, end});
    if (end - begin > kLargestGroup) {
      ++large_groups_;
      starred_ += end - begin;
    }
  }
}

// If two fingerprints of 128 bits are close, one half differs in at most half of the distance. The first join
// finds the pairs that are close in the first half; the second one leaves out pairs that the first has found.
Result<void> FingerprintFinder::join(CandidateBatch& candidates) {
  if (bits_ == 64) return join_half(0, distance_, candidates);
  LEITONG_TRY(join_half(0, distance_ / 2, candidates));
  return join_half(1, distance_ / 2, candidates);
}

Result<void> FingerprintFinder::join_half(unsigned half, unsigned distance, CandidateBatch& candidates) {
  PodVector<std::uint64_t> halves;
  for (const Group& group : groups_) halves.push_back(documents_[group.begin].fingerprint[half]);
  const hamming::MemorySource<hamming::Fingerprint64> source(halves);
  hamming::JoinOptions options;
  options.distance = distance;
  LEITONG_ASSIGN(hamming::Joined joined, hamming::join<hamming::Fingerprint64>({source}, options, context_));
  compared_ += joined.figures().compare.compared;
  return joined.for_each_pair([&](std::span<const hamming::RowPair> pairs) -> Result<void> {
    for (const hamming::RowPair& pair : pairs) {
      const Group &x = groups_[pair.a], &y = groups_[pair.b];
      const Fingerprint &a = documents_[x.begin].fingerprint, &b = documents_[y.begin].fingerprint;
      if (half == 1 && static_cast<unsigned>(std::popcount(a[0] ^ b[0])) <= distance) continue;
      const unsigned all = distance_of(a, b);
      if (all <= distance_) LEITONG_TRY(pair_across(x, y, all, candidates));
    }
    return {};
  });
}

Result<void> FingerprintFinder::offer(std::uint32_t i, std::uint32_t j, double score,
                                      CandidateBatch& candidates) const {
  return candidates.add(documents_[i].document, documents_[j].document, score);
}

Result<void> FingerprintFinder::pair_within(const Group& group, CandidateBatch& candidates) const {
  const bool all = group.size() <= kLargestGroup;
  for (std::uint32_t i = group.begin; i < group.end; ++i) {
    const std::uint32_t end = all ? i : std::min(i, group.begin + kLeaders);
    for (std::uint32_t j = group.begin; j < end; ++j) LEITONG_TRY(offer(j, i, 1, candidates));
  }
  return {};
}

/// The leaders of a large group represent the whole group.
Result<void> FingerprintFinder::pair_across(const Group& x, const Group& y, unsigned distance,
                                            CandidateBatch& candidates) const {
  const auto end = [](const Group& group) {
    return group.size() <= kLargestGroup ? group.end : group.begin + kLeaders;
  };
  const double score = 1 - static_cast<double>(distance) / bits_;
  for (std::uint32_t i = x.begin; i < end(x); ++i)
    for (std::uint32_t j = y.begin; j < end(y); ++j) LEITONG_TRY(offer(i, j, score, candidates));
  return {};
}

MethodFigures FingerprintFinder::figures() const {
  return {{"fingerprints", documents_.size()},
          {"distinct_fingerprints", groups_.size()},
          {"large_groups", large_groups_},
          {"documents_in_large_groups", starred_},
          {"compared", compared_},
          {"offered_pairs", offered_}};
}

}  // namespace

MadeFinder make_fingerprint_finder(const Scheme& scheme, const Params& params, const FinderContext& context) {
  return std::make_unique<FingerprintFinder>(context, scheme.fingerprint_bits(),
                                             static_cast<unsigned>(params.whole("distance")));
}

}  // namespace leitong
