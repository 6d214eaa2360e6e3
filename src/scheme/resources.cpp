#include "scheme/resources.hpp"

#include <utility>

#include "base/try.hpp"
#include "io/run_context.hpp"

namespace leitong {

Result<std::shared_ptr<const SegmentModel>> SchemeResources::open_dictionary() {
  if (!dictionary_) {
    LEITONG_ASSIGN(dictionary_, open_segment_model(dictionaries_));
  }
  return dictionary_;
}

Result<std::shared_ptr<const SegmentModel>> SchemeResources::dictionary() {
  const std::scoped_lock lock(mutex_);
  return open_dictionary();
}

Result<std::shared_ptr<const WordList>> SchemeResources::words(WordCut cut) {
  const std::scoped_lock lock(mutex_);
  if (words_ && cut == WordCut::mix) return words_;
  LEITONG_ASSIGN(auto dictionary, open_dictionary());
  LEITONG_ASSIGN(WordList list, WordList::open(std::move(dictionary), cut));
  auto words = std::make_shared<const WordList>(std::move(list));
  if (cut == WordCut::mix) words_ = words;
  return words;
}

Result<void> SchemeResources::check_used() {
  const std::scoped_lock lock(mutex_);
  if (dictionary_ || dictionaries_.is_default()) return {};
  return fail(ErrorCode::invalid_argument,
              "a dictionary, IDF or stop words were named, and the chosen method doesn't look at words: "
              "leave "
              "them out, or choose a method of words such as simhash");
}

SchemeResources& resources_of(const Context& context) {
  return context.state().shared<SchemeResources>([&] {
    ModelChoice dictionaries;
    dictionaries.data_folder = context.settings().data_folder;
    return std::make_shared<SchemeResources>(std::move(dictionaries));
  });
}

std::shared_ptr<SchemeResources> resources_of(const Context& context, ModelChoice choice) {
  if (choice.is_default()) return {std::shared_ptr<void>(), &resources_of(context)};  // the context owns it
  choice.data_folder = context.settings().data_folder;
  return std::make_shared<SchemeResources>(std::move(choice));
}

}  // namespace leitong
