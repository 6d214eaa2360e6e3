#include "text/script_mix.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "text/words.hpp"

namespace leitong {
namespace {

constexpr std::size_t kBlock = 32;

/// For each of kBlock bytes, whether it begins a character that may belong to another script. The lead byte
/// decides, and for lead bytes that punctuation or Han also have, the next byte, which must be readable after
/// the last one as well. Uses plain bytes and no branch, so that the compiler vectorizes it.
std::uint8_t other_script_in(const std::uint8_t* p) {
  const auto within = [](std::uint8_t byte, std::uint8_t first, std::uint8_t last) -> std::uint8_t {
    return static_cast<std::uint8_t>(byte - first) <= static_cast<std::uint8_t>(last - first);
  };
  std::uint8_t found = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::uint8_t lead = p[i], next = p[i + 1];
    found |= within(lead, 0xC3, 0xE1) | within(lead, 0xEA, 0xEE);
    found |= within(lead, 0xE2, 0xE2) & (within(next, 0x81, 0x86) | within(next, 0xB0, 0xB8));
    found |= within(lead, 0xE3, 0xE3) & within(next, 0x81, 0x87);
    found |= within(lead, 0xEF, 0xEF) & (within(next, 0xAC, 0xBB) | within(next, 0xBD, 0xBE));
    found |= within(lead, 0xF0, 0xF0) & within(next, 0x90, 0x9E);
  }
  return found;
}

/// Passes a text on in order: `of_jieba(begin, end)` gets what jieba cuts, `word(begin, end)` the words that
/// it does not know.
template <class OfJieba, class OfOthers>
void for_each_part(std::string_view utf8, const OfJieba& of_jieba, const OfOthers& word_of_others) {
  std::size_t cut = 0;  // everything before it was passed on
  const auto leave_to_jieba = [&](std::size_t end) {
    if (end > cut) of_jieba(cut, end);
  };
  const auto take = [&](const Word& word) {
    const bool is_other =
        word.kind == WordKind::unspaced || (word.kind == WordKind::word && may_have_other_scripts(word.text));
    if (!is_other) return;
    const auto begin = static_cast<std::size_t>(word.text.data() - utf8.data());
    leave_to_jieba(begin);
    cut = begin + word.text.size();
    word_of_others(begin, cut);
  };
  // No word crosses a line feed, and most lines of most texts can be skipped.
  for (std::size_t line = 0, end; line < utf8.size(); line = end) {
    end = std::min(utf8.find('\n', line), utf8.size() - 1) + 1;
    if (may_have_other_scripts(utf8.substr(line, end - line)))
      for_each_word(utf8.substr(line, end - line), take);
  }
  leave_to_jieba(utf8.size());
}

}  // namespace

bool may_have_other_scripts(std::string_view utf8) noexcept {
  const auto* const p = reinterpret_cast<const std::uint8_t*>(utf8.data());
  if (utf8.size() <= kBlock) {
    std::uint8_t whole[kBlock + 1] = {};
    std::memcpy(whole, p, utf8.size());
    return other_script_in(whole) != 0;
  }
  std::uint8_t found = other_script_in(p + utf8.size() - kBlock - 1);
  for (std::size_t i = 0; i + kBlock < utf8.size(); i += kBlock) found |= other_script_in(p + i);
  return found != 0;
}

void cut_scripts(const JiebaCutter& cutter, Scripts scripts, std::string_view utf8, bool hmm,
                 CutScratch& scratch, PodVector<std::uint32_t>& starts) {
  if (scripts == Scripts::jieba || !may_have_other_scripts(utf8))
    return cutter.cut(utf8, hmm, scratch, starts);
  for_each_part(
      utf8,
      [&](std::size_t begin, std::size_t end) {
        std::size_t i = starts.size();
        cutter.cut(utf8.substr(begin, end - begin), hmm, scratch, starts);
        for (; i < starts.size(); ++i) starts[i] += static_cast<std::uint32_t>(begin);
      },
      [&](std::size_t begin, std::size_t) { starts.push_back(static_cast<std::uint32_t>(begin)); });
}

void list_scripts(const JiebaCutter& cutter, Scripts scripts, std::string_view utf8, bool search,
                  CutScratch& scratch, PodVector<Token>& tokens) {
  const auto list = [&](std::size_t begin, std::size_t end) {
    std::size_t i = tokens.size();
    const std::string_view part = utf8.substr(begin, end - begin);
    search ? cutter.cut_for_search(part, true, scratch, tokens) : cutter.cut_full(part, scratch, tokens);
    for (; i < tokens.size(); ++i) {
      tokens[i].begin += static_cast<std::uint32_t>(begin);
      tokens[i].end += static_cast<std::uint32_t>(begin);
    }
  };
  if (scripts == Scripts::jieba || !may_have_other_scripts(utf8)) return list(0, utf8.size());
  for_each_part(utf8, list, [&](std::size_t begin, std::size_t end) {
    tokens.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  });
}

}  // namespace leitong
