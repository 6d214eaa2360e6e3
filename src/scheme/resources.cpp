#include "scheme/resources.hpp"

#include <utility>

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

Result<std::shared_ptr<const WordList>> SchemeResources::words() {
  const std::scoped_lock lock(mutex_);
  if (!words_) {
    LEITONG_ASSIGN(auto dictionary, open_dictionary());
    LEITONG_ASSIGN(WordList list, WordList::open(std::move(dictionary)));
    words_ = std::make_shared<const WordList>(std::move(list));
  }
  return words_;
}

SchemeResources& resources_of(const Context& context) {
  return context.state().shared<SchemeResources>([&] {
    ModelChoice dictionaries;
    dictionaries.data_folder = context.settings().data_folder;
    return std::make_shared<SchemeResources>(std::move(dictionaries));
  });
}

}  // namespace leitong
