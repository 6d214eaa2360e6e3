#include "feature/words.hpp"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include <fstream>
#include <string>

#include "base/utf8.hpp"

namespace leitong {

bool is_wordlike(std::string_view word) noexcept {
  if (word.empty()) return false;
  std::size_t at = decode_utf8(word, 0).length;
  if (at >= word.size()) return false;
  for (at = 0; at < word.size();) {
    const DecodedPoint point = decode_utf8(word, at);
    if (u_isalnum(static_cast<UChar32>(point.code_point))) return true;
    at += point.length;
  }
  return false;
}

Result<WordList> WordList::load(std::shared_ptr<const Segmenter> segmenter,
                                const std::filesystem::path& stop_words) {
  WordList list;
  list.segmenter_ = std::move(segmenter);
  std::ifstream file(stop_words);
  if (!file)
    return fail(ErrorCode::not_found,
                fmt::format("{}: can't be read; ./dev setup fetches it", stop_words.string()));
  for (std::string line; std::getline(file, line);) list.stop_words_.insert(term_hash(TermHash::xxh3, line));
  return list;
}

void WordList::terms(std::string_view utf8, TermHash hash, PodVector<Occurrence>& occurrences) const {
  for_each(utf8, [&](std::string_view word, std::uint64_t id, bool is_term) {
    if (is_term) occurrences.push_back({id, hash == TermHash::xxh3 ? id : term_hash(hash, word)});
  });
}

}  // namespace leitong
