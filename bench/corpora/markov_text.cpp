#include "corpora/markov_text.hpp"

#include <algorithm>
#include <numbers>
#include <string_view>
#include <utility>

namespace leitong::bench {
namespace {

constexpr std::size_t kLongestSentence = 60;
constexpr std::size_t kShortestSentence = 8;

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

bool is_ascii_letter(std::uint32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// A space counts between words that need it; without it the English words of an article would be joined.
bool spoken(std::uint32_t c, const Text& before) {
  return c >= 0x2000 || is_ascii_letter(c) || (c == ' ' && !before.empty() && is_ascii_letter(before.back()));
}

}  // namespace

std::uint64_t Random::next() {
  state_ += 0x9E3779B97F4A7C15ULL;
  return mix(state_);
}

double Random::normal() {
  const double a = uniform(), b = uniform();
  return std::sqrt(-2 * std::log(a + 1e-300)) * std::cos(2 * std::numbers::pi * b);
}

std::uint32_t Random::zipf(std::uint32_t n) {
  const double k = std::exp(uniform() * std::log(static_cast<double>(n) + 1)) - 1;
  return std::min(n - 1, static_cast<std::uint32_t>(k));
}

Text decode_for_model(std::string_view utf8) {
  Text text;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (i + length > utf8.size()) break;
    std::uint32_t c = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k) c = c << 6 | (static_cast<unsigned char>(utf8[i + k]) & 63U);
    i += length;
    if (c == '\n') c = kFullStop;
    if (spoken(c, text) && c < 0x10000 && !(c == kFullStop && !text.empty() && text.back() == kFullStop))
      text.push_back(c);
  }
  return text;
}

void append_utf8(const Text& text, std::string& out) {
  for (const std::uint32_t c : text) {
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else if (c < 0x800) {
      out += {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 63))};
    } else {
      out += {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 63)),
              static_cast<char>(0x80 | (c & 63))};
    }
  }
}

Text made_up_text(std::size_t characters, std::uint64_t seed) {
  constexpr std::uint32_t kWords = 60'000, kCharacters = 4'000, kFirstCharacter = 0x4E00;
  Random random(seed);
  std::vector<Text> words(kWords);
  for (Text& word : words) {
    const std::uint32_t length = 1 + random.below(3);
    for (std::uint32_t i = 0; i < length; ++i) {
      // Common characters are spread over the block, as in real text.
      word.push_back(kFirstCharacter +
                     static_cast<std::uint32_t>(random.zipf(kCharacters) * 5003ULL % 20'000));
    }
  }
  Text text;
  text.reserve(characters + 64);
  while (text.size() < characters) {
    for (std::uint32_t left = 5 + random.below(15); left > 0; --left) {
      const Text& word = words[random.zipf(kWords)];
      text.insert(text.end(), word.begin(), word.end());
    }
    text.push_back(kFullStop);
  }
  return text;
}

MarkovText::MarkovText(Text training, double run) : training_(std::move(training)), jump_(1 / run) {
  const std::size_t n = training_.size();
  std::vector<std::pair<std::uint64_t, std::uint32_t>> contexts(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t last_three = 0;
    for (std::size_t back = 3; back-- > 0;)
      last_three = last_three << 21 | (i >= back ? training_[i - back] : 0);
    contexts[i] = {mix(last_three), static_cast<std::uint32_t>(i)};
  }
  std::sort(contexts.begin(), contexts.end());
  places_.resize(n);
  group_begin_.resize(n);
  group_size_.resize(n);
  for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
    while (end < n && contexts[end].first == contexts[begin].first) ++end;
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t place = contexts[k].second;
      places_[k] = place;
      group_begin_[place] = static_cast<std::uint32_t>(begin);
      group_size_[place] = static_cast<std::uint32_t>(end - begin);
    }
  }
  for (std::size_t i = 1; i < n; ++i) {
    if (training_[i - 1] != kFullStop) continue;
    const auto begin = training_.begin() + static_cast<std::ptrdiff_t>(i);
    const auto length = static_cast<std::size_t>(std::find(begin, training_.end(), kFullStop) - begin);
    if (length >= kShortestSentence && length <= kLongestSentence)
      sentences_.push_back(static_cast<std::uint32_t>(i));
  }
}

void MarkovText::sentence(Random& random, Text& out) const {
  std::size_t place = sentences_[random.below(static_cast<std::uint32_t>(sentences_.size()))];
  for (std::size_t written = 1; written <= kLongestSentence && place + 1 < training_.size();
       ++written, ++place) {
    out.push_back(training_[place]);
    if (training_[place] == kFullStop && written >= kShortestSentence) return;
    if (written > 3 && random.uniform() < jump_) {
      place = places_[group_begin_[place] + random.below(group_size_[place])];
    }
  }
  out.push_back(kFullStop);
}

void MarkovText::shared_sentence(Random& random, Text& out) const {
  const std::uint64_t popularity = random.zipf(static_cast<std::uint32_t>(sentences_.size()));
  // Popular sentences must not be adjacent in the training text.
  const std::size_t which = popularity * 2'654'435'761ULL % sentences_.size();
  for (std::size_t place = sentences_[which]; place < training_.size(); ++place) {
    out.push_back(training_[place]);
    if (training_[place] == kFullStop) return;
  }
}

}  // namespace leitong::bench
