// Texts in which Chinese and English stand beside other scripts.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/pod_vector.hpp"
#include "text/jieba_cutter.hpp"

namespace leitong {

/// What is done with letters that jieba doesn't know: neither ASCII nor Han.
enum class Scripts : std::uint8_t {
  jieba,  ///< each is a token of its own, as in cppjieba
  all,    ///< words of such letters are cut by the rules of their script (text/words.hpp)
};

/// Whether a text has letters that jieba doesn't know: kana, hangul, Thai, Arabic, Cyrillic, accented Latin.
/// Some symbols and full-width letters count as such. Some GB/s.
[[nodiscard]] bool may_have_other_scripts(std::string_view utf8) noexcept;

/// Appends the byte at which each token begins, as JiebaCutter::cut() does. With Scripts::all the words that
/// have a letter which jieba doesn't know, and all words of Japanese, are cut by text/words.hpp, and jieba
/// cuts what stands between them. Chinese and English text is cut the same either way. REQUIRES: as
/// JiebaCutter.
void cut_scripts(const JiebaCutter& cutter, Scripts scripts, std::string_view utf8, bool hmm,
                 CutScratch& scratch, PodVector<std::uint32_t>& starts);

/// The same for JiebaCutter::cut_full() and, with `search`, cut_for_search(): appends the tokens in their
/// order, which may overlap where jieba cuts.
void list_scripts(const JiebaCutter& cutter, Scripts scripts, std::string_view utf8, bool search,
                  CutScratch& scratch, PodVector<Token>& tokens);

}  // namespace leitong
