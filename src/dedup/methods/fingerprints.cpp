#include "dedup/methods/fingerprints.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "index/hamming/join/join.hpp"

namespace leitong {
namespace {

constexpr std::uint32_t kLargestGroup = 64;
constexpr std::uint32_t kLeaders = 2;
// Fingerprint and document, in order and out of it, groups, and what the join keeps.
constexpr std::uint64_t kBytesEach = 24 + 24 + 16 + 8 + 32;

struct Space final : Method::Scratch {
  FeatureSpace features;
};

unsigned distance_of(const Fingerprint& a, const Fingerprint& b) {
  return static_cast<unsigned>(std::popcount(a[0] ^ b[0]) + std::popcount(a[1] ^ b[1]));
}

}  // namespace

FingerprintMethod::FingerprintMethod(const MethodContext& context, FingerprintSettings settings,
                                     std::unique_ptr<const Fingerprinter> signer)
    : settings_(std::move(settings)),
      signer_(std::move(signer)),
      table_(context.table),
      memory_(context.memory) {}

std::unique_ptr<Method::Scratch> FingerprintMethod::new_scratch() const { return std::make_unique<Space>(); }

// One word or two; nothing for a text without features.
void FingerprintMethod::sketch(const DocumentView& document, Scratch& scratch,
                               PodVector<std::uint64_t>& words) const {
  const auto fingerprint = signer_->sign(document, static_cast<Space&>(scratch).features);
  if (!fingerprint) return;
  for (unsigned i = 0; i < settings_.bits / 64; ++i) words.push_back((*fingerprint)[i]);
}

std::optional<Likeness> FingerprintMethod::compare(const SketchView& a, const SketchView& b) const {
  unsigned distance = 0;
  for (std::size_t i = 0; i < a.words.size(); ++i)
    distance += static_cast<unsigned>(std::popcount(a.words[i] ^ b.words[i]));
  return Likeness{distance <= settings_.distance, similarity_of(distance), distance};
}

Result<void> FingerprintMethod::add(DocId document, std::span<const std::uint64_t> words) {
  if (words.empty()) return {};
  documents_.push_back({{words[0], words.size() > 1 ? words[1] : 0}, document});
  return check_memory(memory_, documents_.size(), kBytesEach, settings_.name);
}

Result<void> FingerprintMethod::find(CandidateSink& sink) {
  CandidateBatch candidates(sink);
  collapse();
  for (const Group& group : groups_) LEITONG_TRY(pair_within(group, candidates));
  LEITONG_TRY(join(candidates));
  LEITONG_TRY(candidates.finish());
  offered_ = candidates.size();
  return {};
}

/// Sorts the documents by fingerprint, those of one fingerprint by content, and lists the groups.
void FingerprintMethod::collapse() {
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

// Of 128 bits one half differs in at most half of the distance: the pairs of the first half come from it,
// those of the second that the first has met are left out.
Result<void> FingerprintMethod::join(CandidateBatch& candidates) {
  if (settings_.bits == 64) return join_half(0, settings_.distance, candidates);
  LEITONG_TRY(join_half(0, settings_.distance / 2, candidates));
  return join_half(1, settings_.distance / 2, candidates);
}

Result<void> FingerprintMethod::join_half(unsigned half, unsigned distance, CandidateBatch& candidates) {
  PodVector<std::uint64_t> halves;
  for (const Group& group : groups_) halves.push_back(documents_[group.begin].fingerprint[half]);
  const hamming::MemorySource<hamming::Fingerprint64> source(halves);
  hamming::JoinOptions options;
  options.distance = distance;
  LEITONG_ASSIGN(hamming::Joined joined, hamming::join<hamming::Fingerprint64>({source}, options));
  compared_ += joined.figures().compare.compared;
  return joined.for_each_pair([&](std::span<const hamming::RowPair> pairs) -> Result<void> {
    for (const hamming::RowPair& pair : pairs) {
      const Group &x = groups_[pair.a], &y = groups_[pair.b];
      const Fingerprint &a = documents_[x.begin].fingerprint, &b = documents_[y.begin].fingerprint;
      if (half == 1 && static_cast<unsigned>(std::popcount(a[0] ^ b[0])) <= distance) continue;
      const unsigned all = distance_of(a, b);
      if (all <= settings_.distance) LEITONG_TRY(pair_across(x, y, all, candidates));
    }
    return {};
  });
}

Result<void> FingerprintMethod::offer(std::uint32_t i, std::uint32_t j, double score,
                                      CandidateBatch& candidates) const {
  return candidates.add(documents_[i].document, documents_[j].document, score);
}

Result<void> FingerprintMethod::pair_within(const Group& group, CandidateBatch& candidates) const {
  const bool all = group.size() <= kLargestGroup;
  for (std::uint32_t i = group.begin; i < group.end; ++i) {
    const std::uint32_t end = all ? i : std::min(i, group.begin + kLeaders);
    for (std::uint32_t j = group.begin; j < end; ++j) LEITONG_TRY(offer(j, i, 1, candidates));
  }
  return {};
}

/// The leaders of a large group stand for all of it.
Result<void> FingerprintMethod::pair_across(const Group& x, const Group& y, unsigned distance,
                                            CandidateBatch& candidates) const {
  const auto end = [](const Group& group) {
    return group.size() <= kLargestGroup ? group.end : group.begin + kLeaders;
  };
  const double score = similarity_of(distance);
  for (std::uint32_t i = x.begin; i < end(x); ++i)
    for (std::uint32_t j = y.begin; j < end(y); ++j) LEITONG_TRY(offer(i, j, score, candidates));
  return {};
}

MethodFigures FingerprintMethod::figures() const {
  return {{"fingerprints", documents_.size()},
          {"distinct_fingerprints", groups_.size()},
          {"large_groups", large_groups_},
          {"documents_in_large_groups", starred_},
          {"compared", compared_},
          {"offered_pairs", offered_}};
}

}  // namespace leitong
