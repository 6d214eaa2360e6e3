#include "dedup/methods/word_tools.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <mutex>

namespace leitong {

Result<std::shared_ptr<const WordList>> open_words(const ModelChoice& choice) {
  LEITONG_ASSIGN(auto model, open_segment_model(choice));
  LEITONG_ASSIGN(WordList list, WordList::open(std::move(model)));
  return std::make_shared<const WordList>(std::move(list));
}

Result<std::shared_ptr<const WordList>> open_words() {
  // Methods that run one after another share the dictionary.
  static std::mutex mutex;
  static std::weak_ptr<const WordList> shared;
  const std::scoped_lock lock(mutex);
  if (auto words = shared.lock()) return words;
  LEITONG_ASSIGN(auto words, open_words({}));
  shared = words;
  return words;
}

Result<std::shared_ptr<const TermModel>> open_model(const Params& params, const WordList& words,
                                                    bool trained) {
  const std::filesystem::path path(params.text("model"));
  if (trained && path.empty())
    return fail(ErrorCode::invalid_argument,
                "this method weighs words by their neighbours and needs a model of them; make one with "
                "`leitong train TEXTS -o terms.model` and name it by --param model=terms.model");
  if (path.empty()) return std::make_shared<const TermModel>(TermModel::of_words(words.model()));
  LEITONG_ASSIGN(TermModel model, TermModel::load(path));
  if (trained && !model.trained())
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} knows nothing of words' neighbours; make a model with `leitong train`",
                            path.string()));
  return std::make_shared<const TermModel>(std::move(model));
}

Result<PlacedTerms> open_placed_terms(const Params& params, bool trained) {
  LEITONG_ASSIGN(auto words, open_words());
  std::shared_ptr<const TermModel> model;
  if (trained || !params.text("model").empty()) {
    LEITONG_ASSIGN(model, open_model(params, *words, trained));
  }
  return PlacedTerms(std::move(words), chosen_hash(params), std::move(model));
}

TermHash chosen_hash(const Params& params) {
  return params.choice("hash", term_hash_names(), &TermHashName::method);
}

}  // namespace leitong
