// "minhash": MinHash signatures of 5-unit shingles, met by bands.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "dedup/methods/in_memory.hpp"
#include "dedup/methods/methods.hpp"
#include "feature/shingles.hpp"
#include "index/band_join.hpp"
#include "signature/minhash.hpp"

namespace leitong {
namespace {

constexpr std::size_t kValues = 128;
constexpr std::size_t kWords = kValues * sizeof(MinhashValue) / sizeof(std::uint64_t);
// What is found is verified, so the bands are chosen for recall: two documents of J = .35, the edge of the
// default rule, meet with probability .9998 (42 bands of 3: .84; 32 of 4: .38). On the mixed real texts that
// is F1 .9943, .9958 and .9591 against .9943, .9946, .9208 with 42 of 3 and .9896, .9709, .8730 with 32 of 4.
constexpr Banding kBanding{.bands = 64, .rows = 2};
// The price, most of the pairs that meet by chance, is sent back here: of what has J = .2 one pair in 3,000
// is lost, and a tenth to a third of the candidates is left.
constexpr double kWorthVerifying = .08;
constexpr std::size_t kLargestGroup = 64;
// Identifier, signature and preference, then the entries of the join and what it remembers of a row.
constexpr std::uint64_t kBytesEach = 4 + kValues * sizeof(MinhashValue) + 8 + 32 + 16;

using Signature = std::array<MinhashValue, kValues>;

class Minhash final : public Method {
 public:
  explicit Minhash(const MethodContext& context)
      : rule_(context.rule), verify_(context.verify), table_(context.table), memory_(context.memory) {}

  struct Space final : Scratch {
    PodVector<std::uint32_t> shingles;
    MinhashScratch minhash;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  // The signature, four values a word; nothing for an empty text.
  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    auto& space = static_cast<Space&>(scratch);
    shingle_hashes(document.units, space.shingles);
    Signature signature;
    if (!minhash(space.shingles, space.minhash, signature)) return;
    std::array<std::uint64_t, kWords> packed;
    std::memcpy(packed.data(), signature.data(), sizeof signature);
    words.append(packed);
  }

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    if (words.empty()) return {};
    documents_.push_back(document);
    values_.resize_for_overwrite(values_.size() + kValues);
    std::memcpy(values_.end() - kValues, words.data(), words.size_bytes());
    return check_memory(memory_, documents_.size(), kBytesEach, "minhash");
  }

  Result<void> find(CandidateSink& sink) override {
    PodVector<std::uint64_t> preference;
    preference.reserve(documents_.size());
    for (const DocId document : documents_) preference.push_back(table_.content[document]);
    CandidateBatch candidates(sink);
    LEITONG_ASSIGN(join_, band_join({values_, kValues, preference}, {kBanding, kLargestGroup},
                                    [&](std::span<const RowPair> pairs) -> Result<void> {
                                      for (const auto [a, b] : pairs) LEITONG_TRY(offer(a, b, candidates));
                                      return {};
                                    }));
    offered_ = candidates.size();
    return candidates.finish();
  }

  [[nodiscard]] MethodFigures figures() const override {
    return {{"signatures", documents_.size()},
            {"large_groups", join_.large_groups},
            {"documents_in_large_groups", join_.starred_rows},
            {"pairs_that_met", join_.pairs},
            {"offered_pairs", offered_}};
  }

 private:
  [[nodiscard]] std::span<const MinhashValue> row(std::uint32_t i) const {
    return {values_.data() + i * kValues, kValues};
  }

  Result<void> offer(std::uint32_t a, std::uint32_t b, CandidateBatch& candidates) const {
    const double estimate = estimated_jaccard(row(a), row(b));
    const DocId x = documents_[a], y = documents_[b];
    if (estimate < (verify_ ? kWorthVerifying : least_accepted(x, y))) return {};
    return candidates.add(x, y, estimate);
  }

  /// The rule's Jaccard, where the estimate has to decide.
  [[nodiscard]] double least_accepted(DocId a, DocId b) const {
    if (rule_.measure == Measure::jaccard) return rule_.threshold;
    return rule_.jaccard_at_least(std::min(table_.units[a], table_.units[b]));
  }

  const Rule& rule_;
  bool verify_;
  const DocumentTable& table_;
  const MemoryBudget& memory_;
  PodVector<DocId> documents_;
  PodVector<MinhashValue> values_;
  BandJoinFigures join_;
  std::uint64_t offered_ = 0;
};

}  // namespace

Result<std::unique_ptr<Method>> make_minhash(const MethodContext& context) {
  return std::make_unique<Minhash>(context);
}

}  // namespace leitong
