// The texts for the benchmarks of src/text.
#pragma once

#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace leitong::bench {

using Texts = std::vector<std::string>;

inline Texts lines_of(const char* file) {
  Texts texts;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) texts.push_back(line);
  return texts;
}

inline std::string random_han(std::mt19937& random) {
  const char32_t c = 0x4E00 + static_cast<char32_t>(random() % (1 + random() % 6000));
  return {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 63)),
          static_cast<char>(0x80 | (c & 63))};
}

inline Texts random_texts(bool han) {
  std::mt19937 random(1);
  Texts texts(200);
  for (std::string& text : texts) {
    while (text.size() < 5000) {
      if (han) {
        for (std::size_t n = 3 + random() % 20; n > 0; --n) text += random_han(random);
        text += random() % 8 == 0 ? " make " : "\uFF0C";
      } else {
        for (std::size_t n = 1 + random() % 9; n > 0; --n) text += static_cast<char>('a' + random() % 26);
        text += random() % 12 == 0 ? ". " : " ";
      }
    }
  }
  return texts;
}

inline const Texts& texts_of(const std::string& kind) {
  static const char* const file = std::getenv("LEITONG_BENCH_TEXT");
  if (file != nullptr) {
    static const Texts texts = lines_of(file);
    return texts;
  }
  static const Texts han = random_texts(true);
  static const Texts latin = random_texts(false);
  return kind == "han" ? han : latin;
}

}  // namespace leitong::bench
