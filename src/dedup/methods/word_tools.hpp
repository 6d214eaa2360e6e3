// What the methods share that look at words: the segmenter with its lists, the term model, and their
// parameters.
#pragma once

#include <memory>

#include "dedup/params.hpp"
#include "feature/placed_terms.hpp"
#include "leitong/result.hpp"
#include "text/segment/model_store.hpp"

namespace leitong {

inline constexpr ParamInfo kHashParam =
    word_param("hash", "xxh3", "xxh3|murmur|fnv1a|times33|multiplicative",
               "hash of a feature; times33 and multiplicative are biased, for comparison with old tools");
inline constexpr ParamInfo kModelParam = {
    "model", "", "file of leitong train, or of lines \"word idf\"; else jieba's idf"};

/// MethodInfo::needs of methods that weigh words.
inline constexpr std::string_view kNeedsWords =
    "a feature of any weight (words count from two characters on, stop words don't)";

/// jieba's words, less its stop words. Loaded once a process.
Result<std::shared_ptr<const WordList>> open_words();
/// Those of a dictionary of the user's choice.
Result<std::shared_ptr<const WordList>> open_words(const ModelChoice& choice);

/// The model that the parameter names, or jieba's idf. With `trained`, a model that knows neighbours is asked
/// for; without one the error says how to make it.
Result<std::shared_ptr<const TermModel>> open_model(const Params& params, const WordList& words,
                                                    bool trained);

/// Words with their places, by the parameters hash and model; `trained` as for open_model().
Result<PlacedTerms> open_placed_terms(const Params& params, bool trained);

/// The hash that the parameter names.
[[nodiscard]] TermHash chosen_hash(const Params& params);

}  // namespace leitong
