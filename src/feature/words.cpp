#include "feature/words.hpp"

namespace leitong {

Result<WordList> WordList::open(std::shared_ptr<const SegmentModel> model) {
  LEITONG_TRY(model->verify());
  return WordList(JiebaCutter(std::move(model)));
}

void WordList::terms(std::string_view utf8, TermHash hash, WordSpace& space,
                     PodVector<Occurrence>& occurrences) const {
  for_each(utf8, space, [&](std::string_view word, std::uint64_t id, bool is_term) {
    if (is_term) occurrences.push_back({id, hash == TermHash::xxh3 ? id : term_hash(hash, word)});
  });
}

}  // namespace leitong
