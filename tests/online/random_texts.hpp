// Texts of random Chinese letters, and copies of them with random edits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace leitong::online {

class RandomTexts {
 public:
  explicit RandomTexts(std::uint32_t seed) : random_(seed) {}

  [[nodiscard]] std::uint32_t below(std::uint32_t n) { return random_() % n; }

  /// A text of so many units.
  std::string text(std::size_t units) {
    std::string result;
    for (std::size_t i = 0; i < units; ++i) append_letter(result);
    return result;
  }

  /// The text with each letter replaced, preceded by another one or left out, with this probability in all.
  /// REQUIRES that it consists of such letters.
  std::string edited(const std::string& text, double rate) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); i += 3) {
      const double at = std::uniform_real_distribution<double>()(random_);
      if (at < rate * 3 / 4) append_letter(result);  // replaces it or precedes it
      if (at >= rate / 2 && (at < rate * 3 / 4 || at >= rate)) result.append(text, i, 3);
    }
    return result;
  }

  /// Texts of 350 units with 5 of some different phrases: many hold a key of these, but two share too little
  /// for the index to learn that they are templates.
  std::vector<std::string> with_stock_phrases(std::size_t count, unsigned different = 20) {
    std::vector<std::string> phrases, texts(count);
    for (unsigned i = 0; i < different; ++i) phrases.push_back(text(20));
    for (std::string& one : texts)
      for (int part = 0; part < 5; ++part) one += phrases[below(different)] + text(50);
    return texts;
  }

 private:
  void append_letter(std::string& to) {
    // Ideographs of extension A, which folding leaves unchanged, except for a few.
    const std::uint32_t letter = 0x3400 + random_() % 0x1900;
    to += static_cast<char>(0xe0 | letter >> 12);
    to += static_cast<char>(0x80 | (letter >> 6 & 0x3f));
    to += static_cast<char>(0x80 | (letter & 0x3f));
  }

  std::mt19937 random_;
};

}  // namespace leitong::online
