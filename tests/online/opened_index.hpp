// An index that a test fills, and texts that arrive at it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/online.hpp"
#include "random_texts.hpp"

namespace leitong::online {

inline std::string verdicts(const std::vector<Answer>& answers) {
  std::string text;
  for (const Answer& answer : answers) {
    text += verdict_name(answer.verdict);
    if (answer.match) text += ":" + answer.match->id;
    text += ' ';
  }
  return text;
}

template <class T>
T value(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

/// An index of the test's own, and its context.
struct Opened {
  explicit Opened(const std::filesystem::path& place = {}, Settings settings = {}, unsigned threads = 2)
      : context({.threads = threads}), index(value(Index::open(context, place, settings))) {}
  Context context;
  Index index;

  std::string add(const std::vector<Text>& texts) { return verdicts(value(index.check_and_add(texts))); }
  std::string check(const std::vector<std::string_view>& texts) {
    return verdicts(value(index.check(texts)));
  }
};

/// Random texts, copies and edited copies of them, as they might arrive.
struct Arrivals {
  explicit Arrivals(std::uint32_t seed, std::size_t count) {
    RandomTexts random(seed);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t kind = random.below(10);
      if (texts.empty() || kind < 4)
        texts.push_back(random.text(random.below(3) == 0 ? random.below(40) : 40 + random.below(900)));
      else if (kind < 6)
        texts.push_back(texts[random.below(static_cast<std::uint32_t>(texts.size()))]);
      else
        texts.push_back(random.edited(texts[random.below(static_cast<std::uint32_t>(texts.size()))], .04));
      ids.push_back(std::string("t").append(std::to_string(i)));
    }
  }
  [[nodiscard]] std::vector<Text> between(std::size_t first, std::size_t last) const {
    std::vector<Text> part;
    for (std::size_t i = first; i < last; ++i) part.push_back({ids[i], texts[i]});
    return part;
  }
  std::vector<std::string> ids, texts;
};

}  // namespace leitong::online
