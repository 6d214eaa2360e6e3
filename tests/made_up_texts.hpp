// Made-up texts with known near-duplicates.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"

namespace leitong::testing {

/// A reproducible source of random numbers.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t n) { return mix64(state_ += 0x9E3779B97F4A7C15ULL) % n; }

 private:
  std::uint64_t state_;
};

inline void append_utf8(std::uint32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 63));
  } else {
    out += static_cast<char>(0xe0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 63));
    out += static_cast<char>(0x80 | (c & 63));
  }
}

/// `length` characters: Chinese of 2,000 different ones with a full stop now and then, or English words.
inline std::string random_text(Random& random, std::size_t length, bool chinese = true) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) {
    if (chinese)
      append_utf8(random.below(17) == 0 ? 0x3002 : 0x4e00 + static_cast<std::uint32_t>(random.below(2'000)),
                  text);
    else
      text += random.below(6) == 0 ? ' ' : static_cast<char>('a' + random.below(26));
  }
  return text + "完";
}

/// The text with about one character in `rarity` replaced.
inline std::string edited(std::string_view text, Random& random, std::uint64_t rarity) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t n = 1;
    while (i + n < text.size() && (static_cast<unsigned char>(text[i + n]) & 0xc0) == 0x80) ++n;
    if (random.below(rarity) == 0)
      append_utf8(0x6000 + static_cast<std::uint32_t>(random.below(2'000)), result);
    else
      result += text.substr(i, n);
    i += n;
  }
  return result;
}

/// Texts of 20 to 2,000 characters in two languages, a third of them copies of earlier ones: exact, edited,
/// cut out or embedded.
inline std::vector<std::string> random_corpus(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t length = 20 + random.below(random.below(4) == 0 ? 2'000 : 200);
    std::string text = random_text(random, length, random.below(4) != 0);
    if (i > 0 && random.below(3) == 0) {
      const std::string& other = texts[random.below(i)];
      switch (random.below(4)) {
        case 0:
          text = other;
          break;
        case 1:
          text = edited(other, random, 10 + random.below(90));
          break;
        case 2:
          text = other + text.substr(0, text.size() / 12 * 3);
          break;
        default:
          text = edited(other + text, random, 30);
          break;
      }
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

inline std::vector<std::string_view> views(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

}  // namespace leitong::testing
