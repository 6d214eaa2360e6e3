// Compares documents whose I-Match signatures have an equal digest.
#include <cstring>

#include "base/hash.hpp"
#include "base/try.hpp"
#include "dedup/finders/finders.hpp"
#include "dedup/finders/in_memory.hpp"
#include "index/band_join.hpp"
#include "signature/i_match.hpp"

namespace leitong {
namespace {

// A digest takes the place of a band of 16-bit values.
constexpr unsigned kRows = sizeof(IMatchDigest) / sizeof(MinhashValue);

class DigestFinder final : public PairFinder {
 public:
  DigestFinder(const FinderContext& context, std::size_t digests)
      : table_(context.table), memory_(context), stop_(context.run.stop), digests_(digests) {}

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    if (words.empty()) return {};
    documents_.push_back(document);
    const std::size_t before = values_.size();
    values_.resize_for_overwrite(before + digests_ * kRows);
    for (std::size_t k = 0; k < digests_; ++k) {
      IMatchDigest digest = {words[2 * k], words[2 * k + 1]};
      // A random lexicon that holds no word of this document must not bring it together with other such
      // documents.
      if (digest == IMatchDigest{}) digest = {mix64(table_.content[document]), mix64(document)};
      std::memcpy(values_.data() + before + k * kRows, digest.data(), sizeof digest);
    }
    return memory_.check(documents_.size(), digests_ * sizeof(IMatchDigest) + 60);
  }

  Result<void> find(CandidateSink& sink) override {
    PodVector<std::uint64_t> preference;
    for (const DocId document : documents_) preference.push_back(table_.content[document]);
    CandidateBatch candidates(sink);
    LEITONG_ASSIGN(join_, band_join({values_, digests_ * kRows, preference},
                                    {{static_cast<unsigned>(digests_), kRows}, kLargestGroup, stop_},
                                    [&](std::span<const RowPair> pairs) -> Result<void> {
                                      for (const auto [a, b] : pairs)
                                        LEITONG_TRY(candidates.add(documents_[a], documents_[b], 1));
                                      return {};
                                    }));
    offered_ = candidates.size();
    return candidates.finish();
  }

  [[nodiscard]] MethodFigures figures() const override {
    return {
        {"signatures", documents_.size()}, {"large_groups", join_.large_groups}, {"offered_pairs", offered_}};
  }

 private:
  const DocumentTable& table_;
  SketchMemory memory_;
  StopToken stop_;
  std::size_t digests_;
  PodVector<DocId> documents_;
  PodVector<MinhashValue> values_;
  BandJoinFigures join_;
  std::uint64_t offered_ = 0;
};

}  // namespace

MadeFinder make_digest_finder(const Scheme&, const Params& params, const FinderContext& context) {
  return std::make_unique<DigestFinder>(context, params.whole("lexicons") + 1);
}

}  // namespace leitong
