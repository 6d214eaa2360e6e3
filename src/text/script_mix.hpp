// Texts in which Chinese and English stand beside other scripts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>

#include "text/segmenter.hpp"
#include "text/words.hpp"

namespace leitong {

/// Whether a text has letters that are neither ASCII (or its full-width forms) nor Han: kana, hangul, Thai,
/// Arabic, accented Latin. Some symbols count as such letters. Some GB/s.
[[nodiscard]] bool may_have_other_scripts(std::string_view utf8) noexcept;

/// Calls word(text) for each word (text/words.hpp) that has such a letter or stands in Japanese, and
/// rest(text) for what stands between these words, in order.
template <class EachWord, class EachRest>
void split_scripts(std::string_view utf8, EachWord&& word, EachRest&& rest) {
  std::size_t from = 0;
  const auto take = [&](const Word& found) {
    const bool is_other = found.kind == WordKind::unspaced ||
                          (found.kind == WordKind::word && may_have_other_scripts(found.text));
    if (!is_other) return;
    const auto begin = static_cast<std::size_t>(found.text.data() - utf8.data());
    if (begin > from) rest(utf8.substr(from, begin - from));
    word(found.text);
    from = begin + found.text.size();
  };
  // No word reaches across a line feed, and most lines of most texts are passed over.
  for (std::size_t line = 0, end; line < utf8.size(); line = end) {
    end = std::min(utf8.find('\n', line), utf8.size() - 1) + 1;
    if (may_have_other_scripts(utf8.substr(line, end - line)))
      for_each_word(utf8.substr(line, end - line), take);
  }
  if (from < utf8.size()) rest(utf8.substr(from));
}

/// `chinese` for Chinese and ASCII text, text/words.hpp for all other scripts: a segmenter that was made for
/// Chinese takes their letters one by one, and methods that pass over single letters would not see such a
/// text at all.
[[nodiscard]] std::unique_ptr<const Segmenter> make_script_segmenter(
    std::unique_ptr<const Segmenter> chinese);

}  // namespace leitong
