#include "similarity/name_change.hpp"

#include <gtest/gtest.h>

#include <string>

namespace leitong {
namespace {

PodVector<Unit> units_of(std::string_view text) {
  PodVector<Unit> units;
  to_units(text, units);
  return units;
}

/// All replacements of two texts that are aligned place by place.
std::uint32_t most_of(std::string_view a, std::string_view b) {
  const PodVector<Unit> first = units_of(a), second = units_of(b);
  NameChanges changes;
  for (std::uint32_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    if (first[i] == second[i]) continue;
    std::uint32_t end = i + 1;
    while (end < first.size() && first[end] != second[end]) ++end;
    changes.add(first, second, i, end, i, end);
    i = end;
  }
  return changes.most(first, second);
}

TEST(NameChange, IsAReplacementThatRecursFromTheBeginningOn) {
  EXPECT_EQ(
      most_of("江州市渡口管理办法。江州市的渡口每年检查。", "河阳市渡口管理办法。河阳市的渡口每年检查。"),
      2u);
}

TEST(NameChange, IsNoneIfItIsFoundOnce) {
  EXPECT_EQ(most_of("江州市渡口管理办法。", "河阳市渡口管理办法。"), 0u);
}

TEST(NameChange, IsNoneWhereBothTextsHoldANameAboutAsOften) {
  EXPECT_EQ(most_of("江州的渡口，江州的船，河阳、河阳、河阳", "河阳的渡口，河阳的船，河阳、河阳、河阳"), 0u);
  EXPECT_EQ(most_of("江州的渡口，江州的船，也说河阳", "河阳的渡口，河阳的船，也说河阳"), 2u)
      << "one of them may tell of the other in a link";
}

TEST(NameChange, OfNumbersIsNone) {
  EXPECT_EQ(most_of("第十二条甲。第十二条乙", "第二十条甲。第二十条乙"), 0u);
  EXPECT_EQ(most_of("共 2012 项，见 2012 表", "共 2019 项，见 2019 表"), 0u);
}

TEST(NameChange, OfOneUnitTakesItsNeighbourWithIt) {
  EXPECT_EQ(most_of("东桥渡口，去东桥的路", "西桥渡口，去西桥的路"), 2u);
  EXPECT_EQ(most_of("东桥渡口，去东山的路", "西桥渡口，去西山的路"), 0u)
      << "a letter that is replaced in two words is no name";
}

TEST(NameChange, BehindTheTitleZoneIsNone) {
  const std::string begin =
      "这里先说很久别的事情，一句一句慢慢地说，说到河水怎样流过石桥，说到山路怎样绕过松林，再说村里的人家";
  EXPECT_EQ(most_of(begin + "江州江州", begin + "河阳河阳"), 0u);
}

TEST(TitleUnits, AreThoseOfTheFirstSentenceOrLineThatHasAny) {
  EXPECT_EQ(title_units("渡口管理办法\n第一条"), 6u);
  EXPECT_EQ(title_units("渡口管理办法。第一条"), 6u);
  EXPECT_EQ(title_units("\n\n  。\n渡口"), 2u);
  EXPECT_EQ(title_units("Use ab.cd here. Then"), 6u)
      << "a point within a word ends nothing: us e ab cd he re";
  EXPECT_EQ(title_units(""), 0u);
  EXPECT_EQ(title_units("。。"), 0u);
}

TEST(TitleUnits, AreFortyAtMost) {
  std::string line;
  for (int i = 0; i < 100; ++i) line += "渡";
  EXPECT_EQ(title_units(line), kTitleUnits);
}

}  // namespace
}  // namespace leitong
