// Texts of several sites, and the answers about them as one string.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "leitong/online.hpp"
#include "random_texts.hpp"

namespace leitong::online {

/// All fields of an answer about a text.
inline std::string told(const Answer& answer) {
  std::string text(verdict_name(answer.verdict));
  const auto add = [&](const Match& match) {
    text += " " + match.id + " " + std::string(match.measure) + " " + std::to_string(match.score) + " " +
            std::to_string(match.jaccard) + " " + std::to_string(match.containment) + " " + match.source +
            " " + std::to_string(match.time.value_or(-1));
    for (const Passage& passage : match.passages)
      text += " " + std::to_string(passage.a.begin) + "-" + std::to_string(passage.a.end);
  };
  if (answer.match) add(*answer.match);
  for (const Match& other : answer.others) add(other);
  text += " " + std::to_string(answer.bounds.candidates) + (answer.bounds.ids ? " ids" : "") +
          (answer.bounds.keys ? " keys" : "") + (answer.known ? " known" : "") + " " +
          std::to_string(answer.refused_as_template) + " " + answer.reason;
  if (answer.refused) text += answer.refused->id + " " + std::to_string(answer.refused->template_share);
  return text;
}

inline std::string told(const std::vector<Answer>& answers) {
  std::string text;
  for (const Answer& answer : answers) text += told(answer) + "\n";
  return text;
}

/// Texts in the frames of some sites, excerpts, copies, and edited copies.
inline std::vector<std::string> mixed_texts(std::uint32_t seed, int count) {
  RandomTexts random(seed);
  std::vector<std::string> frames, texts;
  for (int i = 0; i < 4; ++i) frames.push_back(random.text(260));
  for (int i = 0; i < count; ++i) {
    const std::uint32_t kind = texts.size() < 20 ? 0 : random.below(10);
    const auto earlier = [&]() -> const std::string& {
      return texts[random.below(static_cast<std::uint32_t>(texts.size()))];
    };
    if (kind < 4)
      texts.push_back(random.text(random.below(3) == 0 ? random.below(60) : 100 + random.below(700)));
    else if (kind < 6)
      texts.push_back(frames[random.below(4)] + random.text(120 + random.below(60)));
    else if (kind < 7)
      texts.push_back(earlier());
    else if (kind < 9)
      texts.push_back(random.edited(earlier(), .03));
    else
      texts.push_back(earlier() + random.text(150));
  }
  return texts;
}

}  // namespace leitong::online
