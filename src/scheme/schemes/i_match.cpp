// "i-match": documents whose most significant words are the same, in the plain lexicon or in a random part of
// it.
#include "signature/i_match.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.hpp"
#include "feature/extractor.hpp"
#include "scheme/scheme.hpp"
#include "scheme/word_tools.hpp"

namespace leitong {
namespace {

constexpr std::array kIMatchParams = {
    number_param("lexicons", "10", 0, kMaxLexicons, "random lexicons beside the plain one; 0: plain I-Match"),
    fraction_param("low", "0.1", 0, 1, "least normalised IDF of the lexicon's words"),
    fraction_param("high", "0.9", 0, 1, "greatest"),
    fraction_param("least-share", "0.1", 0, 1,
                   "documents of whose words a smaller part is in the lexicon have no signature"),
    kModelParam};

class IMatch final : public Scheme {
 public:
  IMatch(const SchemeContent& content, FeatureExtractor extractor, const Params& params)
      : Scheme(content),
        extractor_(std::move(extractor)),
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

  // Appends the digests, two words each; appends nothing for a text without enough words of the lexicon.
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

  // The similarity is the share of lexicons whose digests agree; one is enough.
  [[nodiscard]] std::optional<Likeness> compare(const SketchView& a, const SketchView& b,
                                                const Rule&) const override {
    double equal = 0;
    for (std::size_t k = 0; k < digests_; ++k) {
      const IMatchDigest x = {a.words[2 * k], a.words[2 * k + 1]}, y = {b.words[2 * k], b.words[2 * k + 1]};
      if (x == y && x != IMatchDigest{}) ++equal;
    }
    return Likeness{equal > 0, equal / static_cast<double>(digests_), {}};
  }

 private:
  [[nodiscard]] bool in_lexicon(std::uint64_t id) const {
    const TermModel& model = *extractor_.model();
    if (!model.find(id)) return false;
    const double nidf = normalised_idf(model.idf(id), model.least_idf(), model.greatest_idf());
    return nidf >= low_ && nidf <= high_;
  }

  FeatureExtractor extractor_;
  std::size_t digests_;
  double low_, high_, least_share_;
};

MadeScheme make_i_match(const Params& params, SchemeResources& resources) {
  LEITONG_ASSIGN(auto words, resources.words());
  LEITONG_ASSIGN(auto model, open_model(params, *words, false));
  const SchemeContent content = content_of_words(*words, params, model.get());
  return std::make_unique<IMatch>(
      content, FeatureExtractor(ExtractorOptions{}, std::move(words), std::move(model)), params);
}

}  // namespace

SchemeInfo i_match_scheme() {
  return {"i-match",
          "one digest of the words of middling rarity, and of random parts of them",
          "Chowdhury et al. 2002; Kolcz, Chowdhury, Alspector 2004",
          kIMatchParams,
          "128-bit digests",
          "enough words of the lexicon, which the model knows and whose normalised IDF is within [low, high] "
          "(jieba's IDF knows Chinese words only: make a model of your texts by `leitong train TEXTS -o "
          "terms.model` and name it by the parameter model=terms.model)",
          1,
          make_i_match};
}

}  // namespace leitong
