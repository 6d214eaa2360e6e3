#include "scheme/word_tools.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <utility>

#include "base/hash.hpp"
#include "base/try.hpp"
#include "text/segment/model.hpp"
#include "text/words.hpp"

namespace leitong {

Result<std::shared_ptr<const WordList>> open_words(const Params& params, SchemeResources& resources,
                                                   WordCut cut) {
  const std::filesystem::path path(params.text("synonyms"));
  LEITONG_ASSIGN(auto words, resources.words(cut));
  if (path.empty()) return words;
  LEITONG_ASSIGN(Synonyms synonyms, Synonyms::read(path));
  return std::make_shared<const WordList>(words->with(std::make_shared<const Synonyms>(std::move(synonyms))));
}

Result<std::shared_ptr<const TermModel>> open_model(const Params& params, const WordList& words,
                                                    bool trained) {
  const std::filesystem::path path(params.text("model"));
  if (trained && path.empty())
    return fail(ErrorCode::invalid_argument,
                "this method weighs words by their neighbours and needs a model of them; make one with "
                "`leitong train TEXTS -o terms.model` and name it by the parameter model=terms.model",
                "params");
  if (path.empty()) return std::make_shared<const TermModel>(TermModel::of_words(words.model()));
  LEITONG_ASSIGN(TermModel model, TermModel::load(path));
  if (trained && !model.trained())
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} knows nothing of words' neighbours; make a model with `leitong train`",
                            path.string()));
  return std::make_shared<const TermModel>(std::move(model));
}

Result<PlacedWords> open_placed_words(const Params& params, SchemeResources& resources, bool trained) {
  LEITONG_ASSIGN(auto words, open_words(params, resources));
  std::shared_ptr<const TermModel> model;
  if (trained || !params.text("model").empty() || words->synonyms() != nullptr) {
    LEITONG_ASSIGN(model, open_model(params, *words, trained));
  }
  const SchemeContent content = content_of_words(*words, params, model.get());
  return PlacedWords{content, PlacedTerms(std::move(words), chosen_hash(params), std::move(model))};
}

SchemeContent content_of_words(const WordList& words, const Params& params, const TermModel* model) {
  std::uint64_t id = dictionary_id(words.model());
  // Without a name the model is the dictionary's own IDF.
  if (model != nullptr && !params.text("model").empty()) id = mix64(id) ^ model->content_id();
  if (words.synonyms() != nullptr) id = mix64(mix64(id)) ^ words.synonyms()->content_id();
  return {word_table_id(), id};
}

TermHash chosen_hash(const Params& params) {
  return params.choice("hash", term_hash_names(), &TermHashName::method);
}

Ties chosen_ties(const Params& params) { return params.text("ties") == "zero" ? Ties::zero : Ties::mask; }

}  // namespace leitong
