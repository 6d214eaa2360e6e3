// Cuts texts into words, in any script.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace leitong {

enum class WordKind : std::uint8_t {
  word,
  unspaced,  ///< a word of a script without spaces, as a dictionary cut it
  han        ///< a run of Han characters without kana: Chinese, which a Segmenter cuts
};

struct Word {
  std::string_view text;  ///< a part of the text that is read
  WordKind kind;
};

/// Reads the words of a text one by one. The script of each run decides:
///   - scripts with spaces (Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari, hangul, ..): the word rules
///     of UAX #29 (Unicode 15, CLDR's root locale), as ICU has them;
///   - Han and kana together: Japanese, cut by ICU's dictionary; katakana alone is one word;
///   - Thai, Lao, Khmer, Myanmar: cut by ICU's dictionaries; a long run of such a script that no dictionary
///     knows gives its characters, each with its marks, so that no text becomes one token;
///   - Han alone is returned as one run. Pieces without a letter or digit (punctuation, symbols, emoji) are
///     no words. REQUIRES: valid UTF-8, which outlives the reader.
class WordReader {
 public:
  explicit WordReader(std::string_view utf8) : text_(utf8) {}
  /// False at the end.
  bool next(Word& word);

 private:
  [[nodiscard]] std::size_t rule_end(std::size_t begin, bool& is_word) const;
  void read_run(std::size_t begin, std::size_t end);

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::size_t> ends_;  // ends of the words of a run that a dictionary cut
  std::size_t next_end_ = 0;
};

/// Calls each(Word) for every word of a text, in order.
template <class Fn>
void for_each_word(std::string_view utf8, Fn&& each) {
  WordReader reader(utf8);
  for (Word word; reader.next(word);) each(word);
}

/// The digest of the table that cuts words, and of ICU, whose dictionaries cut scripts without spaces. Words
/// of different tables cannot be compared.
[[nodiscard]] std::uint64_t word_table_id();

}  // namespace leitong
