// Which words of a text count, in the order in which they stand: terms.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/pod_vector.hpp"
#include "feature/bag.hpp"
#include "feature/term_hash.hpp"
#include "leitong/result.hpp"
#include "text/script_mix.hpp"
#include "text/segment/word_text.hpp"

namespace leitong {

/// Working space of WordList, one per thread.
struct WordSpace {
  CutScratch cut;
  PodVector<std::uint32_t> starts;
};

/// Cuts texts into words, those of scripts that jieba doesn't know by their own rules (Scripts::all), and
/// tells terms (at least two characters, one of them a letter or digit, no stop words) from the rest;
/// TermExtractor counts the same terms, this one keeps their order. Thread-safe for different spaces.
class WordList {
 public:
  /// Compares the model's words with their checksums first.
  static Result<WordList> open(std::shared_ptr<const SegmentModel> model);

  /// Calls `each(token, hash, is_term)` for every token in order; separators are tokens, too.
  template <class Each>
  void for_each(std::string_view utf8, WordSpace& space, const Each& each) const;

  /// Appends the terms of a text.
  void terms(std::string_view utf8, TermHash hash, WordSpace& space,
             PodVector<Occurrence>& occurrences) const;

  [[nodiscard]] const SegmentModel& model() const noexcept { return cutter_.model(); }
  [[nodiscard]] const JiebaCutter& cutter() const noexcept { return cutter_; }

 private:
  explicit WordList(JiebaCutter cutter) : cutter_(std::move(cutter)) {}

  JiebaCutter cutter_;
};

template <class Each>
void WordList::for_each(std::string_view utf8, WordSpace& space, const Each& each) const {
  const SegmentModel& words = model();
  space.starts.clear();
  cut_scripts(cutter_, Scripts::all, utf8, true, space.cut, space.starts);
  space.starts.push_back(static_cast<std::uint32_t>(utf8.size()));
  for (std::size_t i = 0; i + 1 < space.starts.size(); ++i) {
    const std::string_view token = utf8.substr(space.starts[i], space.starts[i + 1] - space.starts[i]);
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
