// "i-match": documents whose telling words are the same, in the plain lexicon or in a random part of it.
#include "signature/i_match.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/hash.hpp"
#include "dedup/method.hpp"
#include "dedup/methods/in_memory.hpp"
#include "dedup/methods/word_tools.hpp"
#include "feature/extractor.hpp"
#include "index/band_join.hpp"

namespace leitong {
namespace {

constexpr std::array kParams = {
    number_param("lexicons", "10", 0, kMaxLexicons, "random lexicons beside the plain one; 0: plain I-Match"),
    fraction_param("low", "0.1", 0, 1, "least normalised IDF of the lexicon's words"),
    fraction_param("high", "0.9", 0, 1, "greatest"),
    fraction_param("least-share", "0.1", 0, 1,
                   "documents of whose words a smaller part is in the lexicon have no signature"),
    kModelParam};

constexpr std::size_t kLargestGroup = 64;
// A digest takes the place of a band of 16-bit values.
constexpr unsigned kRows = sizeof(IMatchDigest) / sizeof(MinhashValue);

class IMatch final : public Method {
 public:
  IMatch(const MethodContext& context, FeatureExtractor extractor, const Params& params)
      : extractor_(std::move(extractor)),
        table_(context.table),
        memory_(context.memory),
        digests_(params.whole("lexicons") + 1),
        low_(params.number("low")),
        high_(params.number("high")),
        least_share_(params.number("least-share")) {}

  struct Space final : Scratch {
    FeatureSpace features;
    PodVector<std::uint64_t> held;
    std::array<IMatchDigest, kMaxLexicons + 1> digests;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  // The digests, two words each; nothing for a text without enough words of the lexicon.
  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    auto& space = static_cast<Space&>(scratch);
    extractor_.gather(document.text, document.units, space.features);
    const auto& terms = space.features.bag.terms;
    space.held.clear();
    for (const BagTerm& term : terms)
      if (in_lexicon(term.id)) space.held.push_back(term.id);
    if (space.held.empty() ||
        static_cast<double>(space.held.size()) < least_share_ * static_cast<double>(terms.size()))
      return;
    const std::span<IMatchDigest> digests(space.digests.data(), digests_);
    i_match(space.held, digests);
    for (const IMatchDigest& digest : digests) words.append(digest);
  }

  // The share of lexicons whose digests agree; one is enough.
  [[nodiscard]] std::optional<Likeness> compare(const SketchView& a, const SketchView& b) const override {
    double equal = 0;
    for (std::size_t k = 0; k < digests_; ++k) {
      const IMatchDigest x = {a.words[2 * k], a.words[2 * k + 1]}, y = {b.words[2 * k], b.words[2 * k + 1]};
      if (x == y && x != IMatchDigest{}) ++equal;
    }
    return Likeness{equal > 0, equal / static_cast<double>(digests_), {}};
  }

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    if (words.empty()) return {};
    documents_.push_back(document);
    const std::size_t before = values_.size();
    values_.resize_for_overwrite(before + digests_ * kRows);
    for (std::size_t k = 0; k < digests_; ++k) {
      IMatchDigest digest = {words[2 * k], words[2 * k + 1]};
      // A random lexicon that holds no word of this document must not bring it together with others.
      if (digest == IMatchDigest{}) digest = {mix64(table_.content[document]), mix64(document)};
      std::memcpy(values_.data() + before + k * kRows, digest.data(), sizeof digest);
    }
    return check_memory(memory_, documents_.size(), digests_ * sizeof(IMatchDigest) + 60, "i-match");
  }

  Result<void> find(CandidateSink& sink) override {
    PodVector<std::uint64_t> preference;
    for (const DocId document : documents_) preference.push_back(table_.content[document]);
    CandidateBatch candidates(sink);
    LEITONG_ASSIGN(join_, band_join({values_, digests_ * kRows, preference},
                                    {{static_cast<unsigned>(digests_), kRows}, kLargestGroup},
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
  [[nodiscard]] bool in_lexicon(std::uint64_t id) const {
    const TermModel& model = *extractor_.model();
    if (!model.find(id)) return false;
    const double nidf = normalised_idf(model.idf(id), model.least_idf(), model.greatest_idf());
    return nidf >= low_ && nidf <= high_;
  }

  FeatureExtractor extractor_;
  const DocumentTable& table_;
  const MemoryBudget& memory_;
  std::size_t digests_;
  double low_, high_, least_share_;
  PodVector<DocId> documents_;
  PodVector<MinhashValue> values_;
  BandJoinFigures join_;
  std::uint64_t offered_ = 0;
};

MadeMethod make_i_match(const MethodContext& context, const Params& params) {
  LEITONG_ASSIGN(auto words, open_words());
  LEITONG_ASSIGN(auto model, open_model(params, *words, false));
  return std::make_unique<IMatch>(
      context, FeatureExtractor(ExtractorOptions{}, std::move(words), std::move(model)), params);
}

}  // namespace

MethodInfo i_match_method() {
  return {"i-match",
          "one digest of the words of middling rarity, and of random parts of them",
          "Chowdhury et al. 2002; Kolcz, Chowdhury, Alspector 2004",
          kParams,
          "128-bit digests",
          "enough words of the lexicon, which the model knows and whose normalised IDF is within [low, high] "
          "(jieba's IDF knows Chinese words only: make a model of your texts by `leitong train TEXTS -o "
          "terms.model` and name it by --param model=terms.model)",
          make_i_match};
}

}  // namespace leitong
