// Texts in which Chinese and English are mixed with other scripts.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/pod_vector.hpp"
#include "text/jieba_cutter.hpp"

namespace leitong {

/// How letters are treated that jieba does not know, which are neither ASCII nor Han.
enum class Scripts : std::uint8_t {
  jieba,  ///< each is a token of its own, as in cppjieba
  all,    ///< words of such letters are cut by the rules of their script (text/words.hpp)
};

/// True if a text has letters that jieba does not know: kana, hangul, Thai, Arabic, Cyrillic, accented Latin.
/// Some symbols and full-width letters count as such. Some GB/s.
[[nodiscard]] bool may_have_other_scripts(std::string_view utf8) noexcept;

/// Appends the byte at which each token begins, as JiebaCutter::cut() does. With Scripts::all, text/words.hpp
/// cuts the words that have a letter which jieba does not know, and all words of Japanese; jieba cuts the
/// text between them. Chinese and English text is cut in the same way by both. REQUIRES: as JiebaCutter.
void cut_scripts(const JiebaCutter& cutter, Scripts scripts, std::string_view utf8, bool hmm,
                 CutScratch& scratch, PodVector<std::uint32_t>& starts);

/// Does the same for JiebaCutter::cut_full() and, with `search`, cut_for_search(): appends the tokens in
/// their order. They may overlap where jieba cuts.
void list_scripts(const JiebaCutter& cutter, Scripts scripts, std::string_view utf8, bool search,
                  CutScratch& scratch, PodVector<Token>& tokens);

}  // namespace leitong
