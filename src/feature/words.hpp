// Finds the terms of a text in their order. Terms are the words that count.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "base/pod_vector.hpp"
#include "feature/bag.hpp"
#include "feature/synonyms.hpp"
#include "feature/term_hash.hpp"
#include "leitong/result.hpp"
#include "text/script_mix.hpp"
#include "text/segment/word_text.hpp"

namespace leitong {

/// How a text is cut into words.
enum class WordCut {
  mix,     ///< the most likely path through the text, with the hidden Markov model
  search,  ///< the same, and before each word the shorter words inside it
  full,    ///< all words of the dictionary, even if they overlap
};

struct WordCutName {
  WordCut cut;
  std::string_view name;
};
[[nodiscard]] std::span<const WordCutName> word_cut_names() noexcept;

/// The working space of WordList, one for each thread.
struct WordSpace {
  CutScratch cut;
  PodVector<std::uint32_t> starts;
  PodVector<Token> tokens;
};

/// Cuts texts into words, those of scripts that jieba does not know by their own rules (Scripts::all), and
/// distinguishes terms (at least two characters, one of them a letter or digit, no stop word) from the rest.
/// TermExtractor counts the same terms; this class keeps their order. Thread-safe for different spaces.
class WordList {
 public:
  /// Compares the model's words with their checksums first.
  static Result<WordList> open(std::shared_ptr<const SegmentModel> model, WordCut cut = WordCut::mix);

  /// The same list, but each word that `synonyms` replaces counts as its canonical word.
  [[nodiscard]] WordList with(std::shared_ptr<const Synonyms> synonyms) const;

  /// Calls `each(token, hash, is_term)` for every token in order; separators are tokens, too. If a word is
  /// replaced, `token` is the canonical word.
  template <class Each>
  void for_each(std::string_view utf8, WordSpace& space, const Each& each) const;

  /// Appends the terms of a text.
  void terms(std::string_view utf8, TermHash hash, WordSpace& space,
             PodVector<Occurrence>& occurrences) const;

  [[nodiscard]] const SegmentModel& model() const noexcept { return cutter_.model(); }
  [[nodiscard]] const JiebaCutter& cutter() const noexcept { return cutter_; }
  /// Null if no words are replaced.
  [[nodiscard]] const Synonyms* synonyms() const noexcept { return synonyms_.get(); }

 private:
  WordList(JiebaCutter cutter, WordCut cut) : cutter_(std::move(cutter)), cut_(cut) {}

  /// Fills space.tokens.
  void cut(std::string_view utf8, WordSpace& space) const;

  JiebaCutter cutter_;
  WordCut cut_;
  std::shared_ptr<const Synonyms> synonyms_;
};

template <class Each>
void WordList::for_each(std::string_view utf8, WordSpace& space, const Each& each) const {
  const SegmentModel& words = model();
  cut(utf8, space);
  for (const auto [begin, end] : space.tokens) {
    std::string_view token = utf8.substr(begin, end - begin);
    if (synonyms_) token = synonyms_->canonical(token);
    if (token.size() == 1 || is_single_character(token)) {
      each(token, word_hash(token), false);
      continue;
    }
    const std::uint32_t id = words.find(token);
    if (id == kNoWord)
      each(token, word_hash(token), is_term(token));
    else
      each(token, words.term(id).hash, words.term(id).idf > 0);
  }
}

}  // namespace leitong
