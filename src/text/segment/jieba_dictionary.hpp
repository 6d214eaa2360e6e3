// jieba's own dictionary files, read into memory: what a model is compiled from.
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

/// A file's name, for messages, and its bytes.
struct NamedBytes {
  std::filesystem::path path;
  std::string bytes;
};

/// What the files hold. Each is read once, so that a pipe will do, and so that what was hashed is what is
/// compiled.
struct JiebaTexts {
  NamedBytes words, model, idf, stop_words;
  std::vector<NamedBytes> user;
};

struct JiebaWord {
  std::string text;
  std::u32string points;
  double weight = 0;  ///< logarithm of its share of all frequencies; of dictionary words only
  double idf = 0;     ///< 0 if the IDF file has none
  std::string tag;
  bool in_dictionary = false, is_stop_word = false;
};

/// The hidden Markov model, logarithms throughout.
struct HiddenMarkovModel {
  std::array<double, kHmmStates> start;
  std::array<std::array<double, kHmmStates>, kHmmStates> next;  ///< [from][to]
  std::unordered_map<char32_t, std::array<double, kHmmStates>> emissions;
};

struct JiebaDictionary {
  std::vector<JiebaWord> words;  ///< each text once, of all files
  double frequency_sum = 0;
  double min_weight = 0;  ///< of the words that aren't the user's; what an unknown character weighs
  std::vector<char32_t> user_characters;  ///< words of the user's that are one character
  HiddenMarkovModel hmm;
  double mean_idf = 0, median_idf = 0;  ///< over the lines of the IDF file
  std::size_t unreachable = 0;  ///< dictionary words that hold a separator, so that no text matches them
};

/// Reads the files. Fails as read_whole_file() does.
Result<JiebaTexts> read_jieba_files(const JiebaFiles& files);

/// Takes in all of them. A user's word has the median weight of the dictionary if it has no frequency; later
/// lines override earlier ones. Fails with corrupt (naming file and line) for a line that isn't as above: a
/// frequency or weight not above 0, invalid UTF-8, a word of more than kMaxWordLength characters, transitions
/// other than those of the four states.
Result<JiebaDictionary> read_jieba_dictionary(const JiebaTexts& texts);

}  // namespace leitong
