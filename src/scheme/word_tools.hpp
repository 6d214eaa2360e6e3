// The common part of the schemes that look at words: the term model, and parameters.
#pragma once

#include <memory>

#include "feature/placed_terms.hpp"
#include "leitong/result.hpp"
#include "scheme/params.hpp"
#include "scheme/resources.hpp"
#include "scheme/scheme.hpp"
#include "signature/simhash.hpp"

namespace leitong {

inline constexpr ParamInfo kHashParam = word_param(
    "hash", "xxh3", "xxh3|murmur|fnv1a|times33|multiplicative|codepoint",
    "hash of a feature; times33, multiplicative (over bytes) and codepoint (the same over characters) "
    "are biased, for comparison with other programs");
inline constexpr ParamInfo kTiesParam =
    word_param("ties", "mask", "mask|zero",
               "a bit whose weights cancel out: that of a fixed random mask, or 0 as in most programs");
inline constexpr ParamInfo kModelParam =
    file_param("model", "file of leitong train, or of lines \"word idf\"; else jieba's idf");

inline constexpr ParamInfo kSynonymsParam = file_param(
    "synonyms",
    "file of lines \"word TAB canonical word\": a word counts as its canonical one, and is weighed "
    "as it");

/// SchemeInfo::needs for schemes that weigh words.
inline constexpr std::string_view kNeedsWords =
    "a feature of any weight (words count from two characters on, stop words don't)";

/// The dictionary's words. Words that the file of the parameter `synonyms` replaces count as their canonical
/// words.
Result<std::shared_ptr<const WordList>> open_words(const Params& params, SchemeResources& resources,
                                                   WordCut cut = WordCut::mix);

/// The model that the parameter `model` names, or the dictionary's IDF. With `trained` the model must have
/// neighbours; if it does not, the error says how to make one that does.
Result<std::shared_ptr<const TermModel>> open_model(const Params& params, const WordList& words,
                                                    bool trained);

/// Words with their places, by the parameters hash, model and synonyms; `trained` as for open_model().
struct PlacedWords {
  SchemeContent content;
  PlacedTerms terms;
};
Result<PlacedWords> open_placed_words(const Params& params, SchemeResources& resources, bool trained);

/// The content of schemes that look at words. `model` is what the parameter `model` names, if it is used.
[[nodiscard]] SchemeContent content_of_words(const WordList& words, const Params& params,
                                             const TermModel* model);

/// The hash and the ties that the parameters name.
[[nodiscard]] TermHash chosen_hash(const Params& params);
[[nodiscard]] Ties chosen_ties(const Params& params);

}  // namespace leitong
