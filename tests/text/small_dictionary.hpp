// Small dictionary files in jieba's form, made by rule, so that tests of words need no downloaded ones; and
// texts of their words.
#pragma once

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace leitong {

inline constexpr int kSmallWords = 400;

inline void append_character(std::uint32_t c, std::string& out) {
  out += static_cast<char>(0xe0 | c >> 12);
  out += static_cast<char>(0x80 | (c >> 6 & 63));
  out += static_cast<char>(0x80 | (c & 63));
}

/// The i-th word: two characters that occur in no other word.
inline std::string small_word(int i) {
  std::string word;
  for (const int c : {2 * i, 2 * i + 1}) append_character(0x5000 + static_cast<std::uint32_t>(c), word);
  return word;
}

/// Makes `folder` the value of LEITONG_DATA. A tenth of the words are stop words, a tenth have no IDF.
inline void write_small_dictionary(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder / "dict");
  const auto file = [&](const char* name) { return std::ofstream(folder / "dict" / name); };
  std::ofstream words = file("jieba.dict.utf8"), idf = file("idf.utf8"), stop = file("stop_words.utf8");
  words << "雷同 9 v\n同一 5 m\n打雷 9 v\n回声 9 n\n";
  idf << "雷同 5\n回声 7\n";
  stop << "同一\n";
  for (int i = 0; i < kSmallWords; ++i) {
    words << small_word(i) << " 9 n\n";
    if (i % 10 == 0) stop << small_word(i) << '\n';
    if (i % 10 != 1) idf << small_word(i) << ' ' << 1 + i % 97 / 8.0 << '\n';
  }
  file("hmm_model.utf8")
      << "-0.2 -3.14e+100 -3.14e+100 -1.4\n-3.14e+100 -0.5 -0.9 -3.14e+100\n-0.5 -3.14e+100 -3.14e+100 -0.8\n"
         "-3.14e+100 -0.3 -1.2 -3.14e+100\n-0.7 -3.14e+100 -3.14e+100 -0.6\n甲:-1\n乙:-1\n丙:-9\n丁:-1\n";
}

/// Texts of 40 to 200 words, no two alike, every second one an edited copy of the one before.
inline std::vector<std::string> small_texts(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> texts;
  std::vector<int> words;
  while (texts.size() < count) {
    if (texts.size() % 2 == 0) {
      words.resize(40 + random() % 160);
      // Few words are frequent, most are rare, as in a language.
      for (int& word : words) {
        const auto any = random();  // a statement of its own: operands have no order
        word = static_cast<int>(any % (1 + random() % kSmallWords));
      }
    }
    const unsigned rarity = 5 + random() % 300;
    std::string text;
    for (int& word : words) {
      if (texts.size() % 2 == 1 && random() % rarity == 0) word = static_cast<int>(random() % kSmallWords);
      text += small_word(word);
      if (random() % 12 == 0) text += "。";
    }
    texts.push_back(text + std::to_string(texts.size()));
  }
  return texts;
}

}  // namespace leitong
