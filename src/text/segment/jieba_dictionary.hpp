// Reads jieba's own dictionary files, from which a model is compiled.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "leitong/result.hpp"
#include "text/segment/tables.hpp"

namespace leitong {

/// The files, in the forms that cppjieba reads. All are UTF-8.
struct JiebaFiles {
  std::filesystem::path words;              ///< jieba.dict.utf8: "word frequency tag" a line
  std::filesystem::path model;              ///< hmm_model.utf8: start, transitions and emissions
  std::filesystem::path idf;                ///< idf.utf8: "word weight" a line
  std::filesystem::path stop_words;         ///< stop_words.utf8: a word a line
  std::vector<std::filesystem::path> user;  ///< "word", "word tag" or "word frequency tag" a line
};

/// The name of a file, for messages, and its bytes.
struct NamedBytes {
  std::filesystem::path path;
  std::string bytes;
};

/// The content of the files. Each file is read once, so a pipe works, and the bytes that were hashed are
/// those that are compiled.
struct JiebaTexts {
  NamedBytes words, model, idf, stop_words;
  std::vector<NamedBytes> user;
};

struct JiebaWord {
  std::string text;
  std::u32string points;
  double weight = 0;  ///< logarithm of its share of all frequencies; for dictionary words only
  double idf = 0;     ///< 0 if the IDF file has none
  std::string tag;
  bool in_dictionary = false, is_stop_word = false;
};

/// The hidden Markov model; all values are logarithms.
struct HiddenMarkovModel {
  std::array<double, kHmmStates> start;
  std::array<std::array<double, kHmmStates>, kHmmStates> next;  ///< [from][to]
  std::unordered_map<char32_t, std::array<double, kHmmStates>> emissions;
};

struct JiebaDictionary {
  std::vector<JiebaWord> words;  ///< the texts of all files, each once
  double frequency_sum = 0;
  double min_weight = 0;  ///< of the words that are not the user's; the weight of an unknown character
  std::vector<char32_t> user_characters;  ///< words of the user's files that are one character
  HiddenMarkovModel hmm;
  double mean_idf = 0, median_idf = 0;  ///< over the lines of the IDF file
  /// Number of dictionary words that hold a separator, so that no text matches them.
  std::size_t unreachable = 0;
};

/// Reads the files. Fails as read_whole_file() does.
Result<JiebaTexts> read_jieba_files(const JiebaFiles& files);

/// Parses all of them. A user's word without a frequency gets the median weight of the dictionary; later
/// lines override earlier ones. Fails with corrupt (naming file and line) for a line in another form: a
/// frequency or weight not above 0, invalid UTF-8, a word of more than kMaxWordLength characters, transitions
/// other than those of the four states.
Result<JiebaDictionary> read_jieba_dictionary(const JiebaTexts& texts);

}  // namespace leitong
