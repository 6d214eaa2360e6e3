// "p-simhash", "p-simhash-literal": words that share weight with words that occur together with them
// (J-Tidf), each combined with a signature of its places.
#include "signature/p_simhash.hpp"

#include <array>
#include <utility>

#include "base/try.hpp"
#include "scheme/fingerprint_scheme.hpp"
#include "scheme/word_tools.hpp"

namespace leitong {
namespace {

constexpr std::array kPSimhashParams = {
    of_search(number_param("distance", "10", 0, 16, "bits in which similar documents may differ")),
    number_param("top", "20", 1, 1e6,
                 "m: words that count, out of the 3 m of highest TF-IDF (3 m is leitong's choice)"),
    fraction_param("mu", "1.5", 0, 10, "weight of a word's own hash; 1 - mu is that of its places"),
    kHashParam,
    kTiesParam,
    file_param(
        "model",
        "file of leitong train, which knows what words come together (J-Tidf, a reconstructed formula); else "
        "TF-IDF by the dictionary's idf"),
    kSynonymsParam};

// Zhang Yanan et al. 2022 keep the top m after weighing again. From how many they choose is not published;
// the top 3m by TF-IDF is our reconstruction.
constexpr std::size_t kCandidates = 3;

class PSimhash final : public FingerprintScheme {
 public:
  PSimhash(const SchemeContent& content, PlacedTerms terms, const Params& params, bool literal)
      : FingerprintScheme(content, 64, static_cast<unsigned>(params.whole("distance"))),
        terms_(std::move(terms)),
        top_(params.whole("top")),
        mu_(params.number("mu")),
        ties_(chosen_ties(params)),
        literal_(literal),
        knows_companions_(terms_.model() != nullptr && terms_.model()->trained()) {}

  struct Space final : Scratch {
    PlacedSpace terms;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    PlacedSpace& space = static_cast<Space&>(scratch).terms;
    terms_.extract(document.text, knows_companions_ ? kCandidates * top_ : top_, space);
    if (knows_companions_) {
      terms_.share_weights(space);
      keep_heaviest(space.bag, top_, space.weights);
    }
    PlacedTerms::list_placed(space);
    const auto fingerprint = literal_
                                 ? p_simhash_literal(space.placed, mu_, ties_)
                                 : p_simhash(space.placed, space.bag.occurrences, mu_, simd_level(), ties_);
    if (fingerprint) words.push_back(*fingerprint);
  }

 private:
  PlacedTerms terms_;
  std::size_t top_;
  double mu_;
  Ties ties_;
  bool literal_, knows_companions_;
};

template <bool kLiteral>
MadeScheme make_p_simhash(const Params& params, SchemeResources& resources) {
  LEITONG_ASSIGN(PlacedWords words, open_placed_words(params, resources, false));
  return std::make_unique<PSimhash>(words.content, std::move(words.terms), params, kLiteral);
}

}  // namespace

SchemeInfo p_simhash_scheme() {
  return {"p-simhash",
          "SimHash of words that share weight with their companions, blended with their places",
          "Zhang Yanan et al. 2022, places corrected",
          kPSimhashParams,
          "fingerprint",
          kNeedsWords,
          1,
          make_p_simhash<false>};
}

SchemeInfo p_simhash_literal_scheme() {
  return {"p-simhash-literal",
          "the same as published: places are bound to no word",
          "Zhang Yanan et al. 2022",
          kPSimhashParams,
          "fingerprint",
          kNeedsWords,
          1,
          make_p_simhash<true>};
}

}  // namespace leitong
