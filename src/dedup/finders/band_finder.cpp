// Compares documents whose MinHash signatures agree in a band.
#include <cstring>

#include "base/try.hpp"
#include "dedup/finders/finders.hpp"
#include "dedup/finders/in_memory.hpp"
#include "index/band_join.hpp"
#include "scheme/minhash_shape.hpp"

namespace leitong {
namespace {

// Bands that are chosen for recall (scheme/schemes/minhash.cpp) bring together many pairs by chance. This
// threshold drops most of these: it loses one pair in 3,000 of Jaccard 0.2 and leaves a tenth to a third of
// the candidates.
constexpr double kWorthVerifying = .08;
// Identifier and preference, then the entries of the join and what the join stores of a row.
constexpr std::uint64_t kBytesEach = 4 + 8 + 32 + 16;

class BandFinder final : public PairFinder {
 public:
  BandFinder(const FinderContext& context, Banding banding)
      : rule_(context.rule),
        verify_(context.verify),
        table_(context.table),
        memory_(context),
        stop_(context.run.stop),
        banding_(banding),
        per_row_(minhash_values(banding)) {}

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    if (words.empty()) return {};
    documents_.push_back(document);
    values_.resize_for_overwrite(values_.size() + per_row_);
    std::memcpy(values_.end() - per_row_, words.data(), words.size_bytes());
    return memory_.check(documents_.size(), kBytesEach + per_row_ * sizeof(MinhashValue));
  }

  Result<void> find(CandidateSink& sink) override {
    PodVector<std::uint64_t> preference;
    preference.reserve(documents_.size());
    for (const DocId document : documents_) preference.push_back(table_.content[document]);
    CandidateBatch candidates(sink);
    LEITONG_ASSIGN(join_, band_join({values_, per_row_, preference}, {banding_, kLargestGroup, stop_},
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
    return {values_.data() + i * per_row_, per_row_};
  }

  Result<void> offer(std::uint32_t a, std::uint32_t b, CandidateBatch& candidates) const {
    const double estimate = estimated_jaccard(row(a), row(b));
    const DocId x = documents_[a], y = documents_[b];
    const double least =
        verify_ ? kWorthVerifying : least_accepted_jaccard(rule_, table_.units[x], table_.units[y]);
    if (estimate < least) return {};
    return candidates.add(x, y, estimate);
  }

  const Rule& rule_;
  bool verify_;
  const DocumentTable& table_;
  SketchMemory memory_;
  StopToken stop_;
  Banding banding_;
  std::size_t per_row_;
  PodVector<DocId> documents_;
  PodVector<MinhashValue> values_;
  BandJoinFigures join_;
  std::uint64_t offered_ = 0;
};

}  // namespace

MadeFinder make_band_finder(const Scheme&, const Params& params, const FinderContext& context) {
  return std::make_unique<BandFinder>(context, minhash_banding(params));
}

}  // namespace leitong
