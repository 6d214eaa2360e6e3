// What does not count where a text is checked.
#include "online/exclusions.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "leitong/online.hpp"
#include "opened_index.hpp"
#include "random_texts.hpp"

namespace leitong::online {
namespace {

std::string counted(const std::string& text, const Exclusions& exclusions, std::string_view base = {}) {
  return value(without_excluded({.id = {}, .text = text, .base = base}, exclusions));
}

TEST(Exclusions, AQuotationIsLeftOutIfItsSourceStandsBesideIt) {
  const Exclusions quotations{.quotations = true};
  EXPECT_EQ(counted("他说：“ab”（某甲，2020）", quotations), "他说：“  ”（某甲，2020）");
  EXPECT_EQ(counted("《某书》说：「ab」", quotations), "《某书》说：「  」");
  EXPECT_EQ(counted("He wrote \"ab\" [3].", quotations), "He wrote \"  \" [3].");
  for (const std::string plain : {"他说：“ab”。", "“ab”\n（另一段）", "“ab（某甲）", "ab（某甲）"})
    EXPECT_EQ(counted(plain, quotations), plain);
}

TEST(Exclusions, PlacesStayThoseOfTheWholeText) {
  const std::string text = "“a©字\nb”（某甲）";
  const std::string rest = counted(text, {.quotations = true});
  EXPECT_EQ(rest, "“ \xC2\xA0\xE3\x80\x80\n ”（某甲）");
  EXPECT_EQ(rest.size(), text.size());
}

TEST(Exclusions, ABibliographyBeginsWithAHeadingOfTheSecondHalf) {
  const Exclusions bibliography{.bibliography = true};
  EXPECT_EQ(counted("abcdefghijklmnopqrstuvwxyz\nReferences:\nxy", bibliography),
            "abcdefghijklmnopqrstuvwxyz\n           \n  ");
  EXPECT_EQ(counted("ab\n五、参考文献\nx", bibliography).substr(0, 3), "ab\n");
  const std::string early = "References\nabcdefghijklmnop";
  EXPECT_EQ(counted(early, bibliography), early);
}

TEST(Exclusions, WhatABaseHoldsIsLeftOut) {
  RandomTexts random(41);
  const std::string sheet = random.text(100), own = random.text(100);
  EXPECT_EQ(counted(own + sheet, {}, sheet).substr(0, own.size()), own);
  EXPECT_EQ(counted(own + sheet, {}, sheet).find(sheet), std::string::npos);
  EXPECT_FALSE(without_excluded({.id = {}, .text = own, .base = "\xff"}, {}));
  EXPECT_EQ(counted("\xff", {}, sheet), "\xff") << "the index refuses it";
}

class CheckWithExclusions : public ::testing::Test {
 protected:
  CheckWithExclusions() { opened_.add({{"a", article_, "site"}, {"o", other_, "li"}}); }
  /// The ids of the texts of which parts are found.
  std::string parts(const Text& text, std::vector<std::string> exclude = {}) {
    const std::vector<Text> asked = {text};
    const Answer answer = value(opened_.index.check(asked, {.exclude = std::move(exclude)}))[0];
    EXPECT_EQ(answer.verdict, answer.parts.empty() ? Verdict::fresh : Verdict::parts);
    std::string ids;
    for (const SharedPart& part : answer.parts) ids += part.id + " ";
    return ids;
  }

  RandomTexts random_{42};
  std::string article_ = random_.text(400), other_ = random_.text(400), own_ = random_.text(300);
  Opened opened_{{}, {.scheme = "reuse"}};
};

TEST_F(CheckWithExclusions, LeavesOutWhatIsNamed) {
  const std::string copied = article_.substr(300, 450), from_other = other_.substr(300, 300);
  const std::string quoted = own_ + "“" + copied + "”（某甲）";
  EXPECT_EQ(parts({.id = {}, .text = quoted}), "a ");
  EXPECT_EQ(parts({.id = {}, .text = quoted}, {"quotations"}), "");
  EXPECT_EQ(parts({.id = {}, .text = quoted}, {"bibliography"}), "a ");
  const std::string both = copied + own_ + from_other;
  EXPECT_EQ(parts({.id = {}, .text = both}), "a o ");
  EXPECT_EQ(parts({.id = {}, .text = both, .base = article_}), "o ");
  EXPECT_EQ(parts({.id = {}, .text = both, .source = "li"}), "a o ");
  EXPECT_EQ(parts({.id = {}, .text = both, .source = "li"}, {"same_source", "bibliography"}), "a ");
  EXPECT_EQ(parts({.id = {}, .text = own_ + from_other, .source = "li"}, {"same_source"}), "");
}

TEST_F(CheckWithExclusions, RefusesOtherNamesAndAdditions) {
  const std::vector<Text> texts = {{.id = "x", .text = own_}},
                          with_base = {{.id = "x", .text = own_, .base = own_}};
  EXPECT_EQ(opened_.index.check(texts, {.exclude = {"all"}}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(opened_.index.check_and_add(texts, {.exclude = {"quotations"}}).error().code,
            ErrorCode::invalid_argument);
  EXPECT_EQ(opened_.index.check_and_add(with_base).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(opened_.index.add(with_base).error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace leitong::online
