// A model of an index of texts that compares each text with all earlier ones, by the rule that users see
// (leitong/compare.hpp): without keys, sketches, candidates or bounds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/compare.hpp"
#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "random_texts.hpp"

namespace leitong::online {

class TextModel {
 public:
  /// The answer of an index: the same as the earliest text that is equal after folding; near to the earliest
  /// text that represents a family and is similar by the rule; or new.
  [[nodiscard]] std::string check(const std::string& text) const {
    const std::vector<std::string_view> earlier(texts_.begin(), texts_.end());
    const auto compared = compare_with(context_, text, earlier);
    if (!compared) throw std::runtime_error(compared.error().message);
    const std::vector<Overlap>& seen = *compared;
    const auto same = std::ranges::find_if(seen, &Overlap::identical);
    if (same != seen.end()) return told("exact", ids_[static_cast<std::size_t>(same - seen.begin())], *same);
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (stands_[i] && !seen[i].similar_by.empty()) return told("near", ids_[i], seen[i]);
    return "new ";
  }
  std::string add(const std::string& id, const std::string& text) {
    std::string said = check(text);
    ids_.push_back(id);
    texts_.push_back(text);
    stands_.push_back(said == "new ");
    return said;
  }

  static std::string told(std::string_view verdict, const std::string& id, const Overlap& with) {
    return told(verdict, id, with.similar_by, with.jaccard,
                std::max(with.containment, with.other_containment));
  }
  /// Three digits of the figures, since an index stores them in 32 bits.
  static std::string told(std::string_view verdict, const std::string& id, std::string_view measure,
                          double jaccard, double containment) {
    const auto digits = [](double value) { return std::to_string(static_cast<int>(value * 1000 + .5)); };
    return std::string(verdict) + ":" + id + "/" + std::string(measure) + "/" + digits(jaccard) + "/" +
           digits(containment) + " ";
  }

 private:
  Context context_{{.threads = 1}};
  std::vector<std::string> ids_, texts_;
  std::vector<bool> stands_;
};

/// The answers in the form of the model.
inline std::string told_by_measures(const std::vector<Answer>& answers) {
  std::string text;
  for (const Answer& answer : answers)
    text += answer.match
                ? TextModel::told(verdict_name(answer.verdict), answer.match->id, answer.match->measure,
                                  answer.match->jaccard, answer.match->containment)
                : std::string(verdict_name(answer.verdict)) + " ";
  return text;
}

/// Unrelated texts, copies with and without other punctuation, thirds of texts, and copies with 1 letter of
/// a hundred edited, once or twice: similar texts share so much that no choice of keys can miss it (of 3
/// letters, twice, one secret in 200 posts no key that both have), and other texts share nearly nothing.
inline std::vector<std::string> works_and_copies(std::uint32_t seed, std::size_t count) {
  RandomTexts random(seed);
  std::vector<std::string> texts;
  std::vector<unsigned> edits;  // number of edits from a new text
  while (texts.size() < count) {
    const std::size_t from = texts.empty() ? 0 : random.below(static_cast<std::uint32_t>(texts.size()));
    const std::uint32_t kind = texts.empty() ? 0 : random.below(10);
    if (kind < 3 || (kind > 5 && edits[from] > 1)) {
      texts.push_back(random.text(random.below(4) == 0 ? random.below(30) : 100 + random.below(500)));
      edits.push_back(texts.back().size() < 300 ? 2
                                                : 0);  // an edited copy of a short text may be another text
    } else if (kind < 6) {
      texts.push_back(kind == 5 ? "。" + texts[from] + "!" : texts[from]);
      edits.push_back(2);
    } else if (kind < 9 || edits[from] > 0) {
      texts.push_back(random.edited(texts[from], .01));
      edits.push_back(edits[from] + 1);
    } else {
      const std::size_t letters = texts[from].size() / 3;
      texts.push_back(texts[from].substr(letters / 3 * 3, letters / 3 * 3));
      edits.push_back(2);
    }
  }
  return texts;
}

}  // namespace leitong::online
