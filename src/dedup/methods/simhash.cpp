// "simhash": words weighed by TF-IDF, one 64-bit fingerprint, Hamming distance 3.
#include <algorithm>
#include <tuple>
#include <utility>

#include "dedup/methods/in_memory.hpp"
#include "dedup/methods/methods.hpp"
#include "feature/terms.hpp"
#include "index/hamming_join.hpp"
#include "signature/simhash.hpp"
#include "text/segment/model_store.hpp"

namespace leitong {
namespace {

// As the literature of web deduplication has it (Manku, Jain, Das Sarma 2007, section 2 for f = 64 and k =
// 3).
constexpr std::size_t kTerms = 20;
constexpr unsigned kDistance = 3;
// Documents of one fingerprint are all paired up to this number; templates and empty-handed pages make groups
// of thousands.
constexpr std::size_t kLargestGroup = 64;
constexpr std::size_t kLeaders = 2;
// Identifier and fingerprint, twice in order and out of it, and what the join lays out and looks up.
constexpr std::uint64_t kBytesEach = 12 + 16 + 24 + 32;

struct Signed {
  std::uint64_t fingerprint;
  DocId document;
};

/// Documents of one fingerprint, [begin, end) of those in order.
struct Group {
  std::uint32_t begin, end;
  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
};

class Simhash final : public Method {
 public:
  Simhash(const MethodContext& context, TermExtractor terms)
      : terms_(std::move(terms)), table_(context.table), memory_(context.memory) {}

  struct Space final : Scratch {
    TermScratch terms;
    PodVector<Feature> features;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  // The fingerprint; nothing for a text without terms, which is like no other.
  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    auto& space = static_cast<Space&>(scratch);
    terms_.top(document.text, kTerms, space.terms, space.features);
    if (const auto fingerprint = simhash(space.features)) words.push_back(*fingerprint);
  }

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    if (words.empty()) {
      ++without_terms_;
      return {};
    }
    documents_.push_back({words[0], document});
    return check_memory(memory_, documents_.size(), kBytesEach, "simhash");
  }

  Result<void> find(CandidateSink& sink) override {
    CandidateBatch candidates(sink);
    collapse();
    for (const Group& group : groups_) LEITONG_TRY(pair_within(group, candidates));
    LEITONG_ASSIGN(
        join_, hamming_join(distinct_, kDistance, [&](std::span<const HammingPair> pairs) -> Result<void> {
          for (const HammingPair& pair : pairs)
            LEITONG_TRY(pair_across(groups_[pair.a], groups_[pair.b], pair.distance, candidates));
          return {};
        }));
    LEITONG_TRY(candidates.finish());
    offered_ = candidates.size();
    return {};
  }

  [[nodiscard]] MethodFigures figures() const override {
    return {{"fingerprints", documents_.size()},
            {"without_terms", without_terms_},
            {"distinct_fingerprints", distinct_.size()},
            {"large_groups", large_groups_},
            {"documents_in_large_groups", starred_},
            {"compared", join_.compared},
            {"offered_pairs", offered_}};
  }

 private:
  /// Sorts the documents by fingerprint, those of one fingerprint by content, and lists the groups.
  void collapse() {
    const auto order = [this](const Signed& x) {
      return std::tuple(x.fingerprint, table_.content[x.document], x.document);
    };
    std::sort(documents_.begin(), documents_.end(),
              [&](const Signed& x, const Signed& y) { return order(x) < order(y); });
    for (std::uint32_t begin = 0, end; begin < documents_.size(); begin = end) {
      end = begin + 1;
      while (end < documents_.size() && documents_[end].fingerprint == documents_[begin].fingerprint) ++end;
      groups_.push_back({begin, end});
      distinct_.push_back(documents_[begin].fingerprint);
      if (end - begin > kLargestGroup) {
        ++large_groups_;
        starred_ += end - begin;
      }
    }
  }

  Result<void> offer(std::uint32_t i, std::uint32_t j, double score, CandidateBatch& candidates) const {
    return candidates.add(documents_[i].document, documents_[j].document, score);
  }

  Result<void> pair_within(const Group& group, CandidateBatch& candidates) const {
    const bool all = group.size() <= kLargestGroup;
    for (std::uint32_t i = group.begin; i < group.end; ++i) {
      const std::uint32_t end = all ? i : std::min<std::uint32_t>(i, group.begin + kLeaders);
      for (std::uint32_t j = group.begin; j < end; ++j) LEITONG_TRY(offer(j, i, 1, candidates));
    }
    return {};
  }

  /// The leaders of a large group stand for all of it.
  Result<void> pair_across(const Group& x, const Group& y, unsigned distance,
                           CandidateBatch& candidates) const {
    const auto end = [](const Group& group) {
      return group.size() <= kLargestGroup ? group.end : group.begin + kLeaders;
    };
    const double score = 1 - static_cast<double>(distance) / kSimhashBits;
    for (std::uint32_t i = x.begin; i < end(x); ++i)
      for (std::uint32_t j = y.begin; j < end(y); ++j) LEITONG_TRY(offer(i, j, score, candidates));
    return {};
  }

  TermExtractor terms_;
  const DocumentTable& table_;
  const MemoryBudget& memory_;
  PodVector<Signed> documents_;
  PodVector<Group> groups_;
  PodVector<std::uint64_t> distinct_;  // fingerprint of each group
  HammingJoinFigures join_;
  std::uint64_t without_terms_ = 0, large_groups_ = 0, starred_ = 0, offered_ = 0;
};

}  // namespace

Result<std::unique_ptr<Method>> make_simhash(const MethodContext& context) {
  LEITONG_ASSIGN(auto model, open_segment_model());
  LEITONG_ASSIGN(auto terms, TermExtractor::open(std::move(model)));
  return std::make_unique<Simhash>(context, std::move(terms));
}

}  // namespace leitong
