// "e-simhash", "e-simhash-literal": words weighted by TF-IDF and the entropy of their neighbours, depending
// on their places.
#include "signature/e_simhash.hpp"

#include <array>
#include <utility>

#include "base/try.hpp"
#include "scheme/fingerprint_scheme.hpp"
#include "scheme/word_tools.hpp"

namespace leitong {
namespace {

constexpr std::array kESimhashParams = {
    of_search(number_param("distance", "10", 0, 16, "bits in which similar documents may differ")),
    number_param("top", "0", 0, 1e9, "the words of highest TF-IDF that count; 0: all, as in the paper"),
    word_param("blend", "product", "product|mean|root-square",
               "how TF-IDF and entropy become one weight; the paper's formula isn't public, these are "
               "reconstructions"),
    fraction_param("entropy-cap", "0", 0, 1e9, "the greatest weight; 0: none"),
    kHashParam,
    kTiesParam,
    file_param("model", "file of leitong train (required)"),
    kSynonymsParam};

class ESimhash final : public FingerprintScheme {
 public:
  ESimhash(const SchemeContent& content, PlacedTerms terms, const Params& params, bool literal)
      : FingerprintScheme(content, 64, static_cast<unsigned>(params.whole("distance"))),
        terms_(std::move(terms)),
        top_(params.whole("top")),
        blend_(params.choice("blend", entropy_blend_names(), &EntropyBlendName::blend)),
        cap_(params.number("entropy-cap")),
        ties_(chosen_ties(params)),
        literal_(literal) {}

  struct Space final : Scratch {
    PlacedSpace terms;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    PlacedSpace& space = static_cast<Space&>(scratch).terms;
    terms_.extract(document.text, top_, space);
    for (Weighted& each : space.weights) {
      const Neighbours around = terms_.model()->neighbours(space.bag.terms[each.term].id);
      each.weight = entropy_weight(each.weight / static_cast<double>(space.bag.occurrences), around.left,
                                   around.right, blend_, cap_);
    }
    PlacedTerms::list_placed(space);
    const auto fingerprint = literal_ ? e_simhash_literal(space.placed, ties_)
                                      : e_simhash(space.placed, space.bag.occurrences, ties_);
    if (fingerprint) words.push_back(*fingerprint);
  }

 private:
  PlacedTerms terms_;
  std::size_t top_;
  EntropyBlend blend_;
  double cap_;
  Ties ties_;
  bool literal_;
};

template <bool kLiteral>
MadeScheme make_e_simhash(const Params& params, SchemeResources& resources) {
  LEITONG_ASSIGN(PlacedWords words, open_placed_words(params, resources, true));
  return std::make_unique<ESimhash>(words.content, std::move(words.terms), params, kLiteral);
}

}  // namespace

SchemeInfo e_simhash_scheme() {
  return {"e-simhash",
          "SimHash of words weighed by the entropy of their neighbours and bound to their places",
          "Zhang Hang et al. 2020, places corrected",
          kESimhashParams,
          "fingerprint",
          kNeedsWords,
          1,
          make_e_simhash<false>};
}

SchemeInfo e_simhash_literal_scheme() {
  return {"e-simhash-literal",
          "the same as published: places reach the lowest bits only",
          "Zhang Hang et al. 2020",
          kESimhashParams,
          "fingerprint",
          kNeedsWords,
          1,
          make_e_simhash<true>};
}

}  // namespace leitong
