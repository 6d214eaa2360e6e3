// Borders that are found block by block against those of the whole text.
#include "trim/cuttable_text.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "text/text_parts.hpp"

namespace leitong {
namespace {

/// The slow twin: sentences and places of the whole text.
class WholeText {
 public:
  explicit WholeText(std::string_view text) : size_(text.size()) {
    PodVector<Unit> units;
    to_units_with_places(text, units, places_);
    std::vector<ByteRange> sentences;
    split_parts(text, TextPart::sentence, sentences);
    begin_.assign(places_.size() + 1, kNone);
    end_ = begin_;
    std::size_t unit = 0;
    for (const ByteRange& sentence : sentences) {
      while (unit < places_.size() && places_[unit].begin < sentence.begin) ++unit;
      begin_[unit] = sentence.begin;
      if (end_[unit] == kNone && unit > 0) end_[unit] = sentence.begin;
    }
    if (!sentences.empty() && begin_.back() == kNone)
      begin_.back() = size_, end_.back() = sentences.back().end;
  }
  [[nodiscard]] std::size_t units() const { return places_.size(); }
  [[nodiscard]] std::size_t next_border(std::size_t from, std::size_t to) const {
    for (std::size_t unit = from; unit <= to; ++unit)
      if (begin_[unit] != kNone) return unit;
    return kNone;
  }
  [[nodiscard]] std::size_t last_border(std::size_t from, std::size_t to) const {
    for (std::size_t unit = to + 1; unit-- > from;)
      if (begin_[unit] != kNone) return unit;
    return kNone;
  }
  [[nodiscard]] ByteRange between(std::size_t begin, std::size_t end) const {
    return {begin_[begin], end_[end]};
  }
  [[nodiscard]] ByteRange place(std::size_t begin, std::size_t end) const {
    return {places_[begin].begin, places_[end - 1].end};
  }

 private:
  static constexpr std::size_t kNone = CuttableText::npos;
  std::size_t size_;
  std::vector<ByteRange> places_;
  std::vector<std::size_t> begin_, end_;  // of a cut at each unit, where a sentence begins
};

/// Lines, blank ones and such without a unit among them.
std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {
      "渡船六点开。",       "Go on! ", "e.g. this", "\n",   "\n\n  ", "----\n",
      "雾大的日子改在七点", "3.14",    "、",        "\r\n", "É",      " "};
  std::string text;
  for (std::size_t i = random() % 200; i > 0; --i) text += kPieces[random() % kPieces.size()];
  return text;
}

TEST(CuttableText, HasTheSentencesAndPlacesOfTheWholeText) {
  std::mt19937 random(2);
  CuttableText text;  // used for one text after the other
  for (int round = 0; round < 400; ++round) {
    const std::string utf8 = random_text(random);
    text.set_borders(utf8);
    const WholeText whole(utf8);
    ASSERT_EQ(text.units(), whole.units());
    if (whole.units() == 0) continue;
    for (int question = 0; question < 20; ++question) {
      const std::size_t from = random() % whole.units(), to = from + random() % (whole.units() - from + 1);
      ASSERT_EQ(text.first_border(from, to, Border::sentence), whole.next_border(from, to));
      ASSERT_EQ(text.last_border(from, to, Border::sentence), whole.last_border(from, to));
      if (to > from) ASSERT_EQ(text.place(from, to), whole.place(from, to));
      const std::size_t begin = whole.next_border(from, to), end = whole.last_border(from, to);
      if (begin < end && end != CuttableText::npos)
        ASSERT_EQ(text.between(begin, end), whole.between(begin, end));
    }
  }
}

TEST(CuttableText, OfAPageWithLineNumbersIsTheSame) {
  std::string utf8;
  for (int line = 1; line <= 60; ++line)
    utf8 +=
        std::to_string(line) + " The ferry leaves at six in the morning, if there is no fog on the river.\n";
  CuttableText text;
  text.set_borders(utf8);
  const WholeText whole(utf8);
  ASSERT_EQ(text.units(), whole.units());
  for (std::size_t unit = 0; unit + 1 < whole.units(); unit += 7)
    EXPECT_EQ(text.place(unit, unit + 1), whole.place(unit, unit + 1));
}

}  // namespace
}  // namespace leitong
