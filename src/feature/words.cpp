#include "feature/words.hpp"

#include <array>

#include "base/try.hpp"

namespace leitong {
namespace {

constexpr std::array kCuts = {WordCutName{WordCut::mix, "mix"}, WordCutName{WordCut::search, "search"},
                              WordCutName{WordCut::full, "full"}};

}  // namespace

std::span<const WordCutName> word_cut_names() noexcept { return kCuts; }

Result<WordList> WordList::open(std::shared_ptr<const SegmentModel> model, WordCut cut) {
  LEITONG_TRY(model->verify());
  return WordList(JiebaCutter(std::move(model)), cut);
}

WordList WordList::with(std::shared_ptr<const Synonyms> synonyms) const {
  WordList list = *this;
  list.synonyms_ = std::move(synonyms);
  return list;
}

void WordList::cut(std::string_view utf8, WordSpace& space) const {
  space.tokens.clear();
  if (cut_ != WordCut::mix)
    return list_scripts(cutter_, Scripts::all, utf8, cut_ == WordCut::search, space.cut, space.tokens);
  space.starts.clear();
  cut_scripts(cutter_, Scripts::all, utf8, true, space.cut, space.starts);
  space.starts.push_back(static_cast<std::uint32_t>(utf8.size()));
  for (std::size_t i = 0; i + 1 < space.starts.size(); ++i)
    space.tokens.push_back({space.starts[i], space.starts[i + 1]});
}

void WordList::terms(std::string_view utf8, TermHash hash, WordSpace& space,
                     PodVector<Occurrence>& occurrences) const {
  for_each(utf8, space, [&](std::string_view word, std::uint64_t id, bool is_term) {
    if (is_term) occurrences.push_back({id, hash == TermHash::xxh3 ? id : term_hash(hash, word)});
  });
}

}  // namespace leitong
