#include "leitong/compare.hpp"

#include <gtest/gtest.h>

#include <string>

namespace leitong {
namespace {

using namespace std::string_literals;

std::string repeat(std::string_view text, int times) {
  std::string result;
  for (; times > 0; --times) result += text;
  return result;
}

// Twelve sentences in two languages, each of its own words.
std::string article() {
  return "秋天的第一场雨落在山城，街上的人们纷纷撑起伞。 The harbour was silent before the ferries came in. "
         "老邮差推着自行车经过石桥，车铃在雾里响了三声。 Seven lamps burned along the northern pier until "
         "dawn. "
         "茶馆掌柜把昨夜的账本翻到最后一页，轻轻叹气。 Nobody had asked the lighthouse keeper for his "
         "opinion. "
         "孩子们在旧仓库后面发现一只走失的灰猫。 Copper wires hummed above the market like patient insects. "
         "入夜以后江水涨到第二级台阶，船夫们收紧缆绳。 The librarian stamped forty permits and closed the "
         "shutters. "
         "第二天清晨报童喊出的消息谁也没有预料到。 By noon every clock in the valley disagreed with the "
         "others.";
}

TEST(Compare, SaysWhereWrongLettersAreAllThatDiffers) {
  const std::string text =
      "The harbour was silent before the ferries came in from the northern islands with their cargo of wool. "
      "Seven lamps burned along the pier until dawn, and nobody had asked the lighthouse keeper for his "
      "opinion of the new timetable. Copper wires hummed above the market like patient insects while the "
      "librarian stamped forty permits and closed the shutters against the afternoon sun. By noon every "
      "clock in the valley disagreed with the others, and the stationmaster had locked himself in.";
  const std::string read =
      "Tlie harbonr was silent befoie the ferries caine in from the nortbern islands with tlieir cargo of "
      "wooI. "
      "Seven lanips burncd along the pier uutil dawn, and nobodv had askcd the lightliouse keepei for his "
      "opiuion of the new timctable. Coppcr wiies hummed ahove the market like paticnt iusects while the "
      "librariau stamped foity permits and closcd the shuttcrs agaiust the afternoou sun. By nooii every "
      "clock in tlie valley disagieed with the othcrs, and the stationmaslcr had lockcd himself in.";
  const CompareResult result = compare(text, read).value();
  EXPECT_LT(result.jaccard, .35);
  EXPECT_EQ(result.similar_by, "edit");
  EXPECT_EQ(compare(read, text).value().similar_by, "edit");
}

TEST(Compare, OnlyTheSameTextIsIdentical) {
  const auto similar_by = [](std::string_view a, std::string_view b) {
    const CompareResult result = compare(a, b).value();
    EXPECT_EQ(result.identical, result.similar_by == "identical");
    return std::string(result.similar_by) + (result.other_signs ? ", other signs" : "");
  };
  EXPECT_EQ(similar_by("If x < y, stop", "IF  x<y, stop"), "identical");
  EXPECT_EQ(similar_by("If x < y, stop", "“If x < y”: stop"), "copy");
  EXPECT_EQ(similar_by("If x < y, stop", "If x > y, stop"), "copy, other signs");
  EXPECT_EQ(similar_by("-12", "12"), "copy, other signs");
  EXPECT_EQ(similar_by("été", "ete"), "copy");
  EXPECT_EQ(similar_by("!?", "?!"), "");
}

TEST(Compare, OfATextWithItselfIsOneEverywhere) {
  const CompareResult result = compare(article(), article()).value();
  EXPECT_TRUE(result.identical);
  EXPECT_EQ(result.similar_by, "identical");
  EXPECT_EQ(result.jaccard, 1);
  EXPECT_EQ(result.edit, 1);
  EXPECT_EQ(result.a.containment, 1);
  EXPECT_EQ(result.b.coverage, 1);
  ASSERT_EQ(result.passages.size(), 1u);
}

TEST(Compare, SeesThroughCaseWidthScriptAndPunctuation) {
  const CompareResult result = compare("Ｈｅｌｌｏ，漢語世界的朋友們！", "hello 汉语世界的朋友们").value();
  EXPECT_EQ(result.similar_by, "copy");
  EXPECT_EQ(result.jaccard, 1);
  EXPECT_EQ(result.a.units, result.b.units);
  EXPECT_NE(result.a.bytes, result.b.bytes);
}

TEST(Compare, OfWhollyDifferentTextsIsZero) {
  const CompareResult result =
      compare(article(), "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich").value();
  EXPECT_EQ(result.jaccard, 0);
  EXPECT_EQ(result.similar_by, "");
  EXPECT_TRUE(result.passages.empty());
  EXPECT_EQ(result.a.coverage, 0);
}

TEST(Compare, MeasuresAnExcerptByContainment) {
  const std::string whole =
      article() + repeat(" 与此无关的另一段文字讲的是别的事情，", 1) +
      "Meanwhile an unrelated committee measured rainfall, printed tables, argued about commas, and "
      "adjourned for an indefinite period without publishing anything that anybody could possibly use. "
      "气象站的技术员连续三周记录云层高度，却没有人来取走那些写满数字的纸张。";
  const std::string part = article().substr(0, article().size() / 2);
  const std::string cut = part.substr(0, part.rfind("。") + 3);
  const CompareResult result = compare(cut, whole).value();
  EXPECT_GT(result.a.containment, .98);
  EXPECT_LT(result.b.containment, .6);
  EXPECT_EQ(result.a.coverage, 1);
  EXPECT_EQ(result.passages.size(), 1u);
  EXPECT_NE(result.similar_by, "");
}

TEST(Compare, JaccardAndContainmentComeFromTheSameCounts) {
  std::string edited = article();
  edited.replace(edited.find("lighthouse"), 10, "warehouse");
  const CompareResult result = compare(article(), edited).value();
  const auto shared = static_cast<double>(result.shared_shingles);
  EXPECT_DOUBLE_EQ(result.jaccard, shared / static_cast<double>(result.a.shingles + result.b.shingles -
                                                                result.shared_shingles));
  EXPECT_DOUBLE_EQ(result.a.containment, shared / static_cast<double>(result.a.shingles));
  EXPECT_DOUBLE_EQ(result.b.containment, shared / static_cast<double>(result.b.shingles));
  EXPECT_EQ(result.passages.size(), 2u);
  EXPECT_GT(result.edit, .9);
}

TEST(Compare, OfTwoEmptyTextsIsTheSame) {
  for (const auto& [a, b] : {std::pair(""s, ""s), std::pair("\n"s, " "s)}) {
    const CompareResult result = compare(a, b).value();
    EXPECT_TRUE(result.identical);
    EXPECT_EQ(result.jaccard, 1);
    EXPECT_EQ(result.edit, 1);
    EXPECT_TRUE(result.passages.empty());
  }
}

TEST(Compare, OfAnEmptyTextWithAnotherIsNothing) {
  const CompareResult result = compare("", "文字").value();
  EXPECT_FALSE(result.identical);
  EXPECT_EQ(result.jaccard, 0);
  EXPECT_EQ(result.a.containment, 0);
  EXPECT_EQ(result.b.containment, 0);
  EXPECT_EQ(result.edit, 0);
}

TEST(Compare, LeavesOutTheEditSimilarityOfLargeTexts) {
  EXPECT_TRUE(compare("abcd", "abcd", {.edit_cells = 4}).value().edit);
  EXPECT_FALSE(compare("abcdef", "abcd", {.edit_cells = 4}).value().edit);
}

TEST(Compare, SimhashDistanceFollowsTheOverlap) {
  std::string edited = article();
  edited.replace(edited.find("lighthouse"), 10, "warehouse");
  const CompareResult near = compare(article(), edited).value();
  const CompareResult far =
      compare(article(), "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich").value();
  EXPECT_EQ(compare(article(), article()).value().shingle_simhash_distance, 0u);
  EXPECT_LT(near.shingle_simhash_distance, 16u);
  EXPECT_GT(far.shingle_simhash_distance, near.shingle_simhash_distance);
  EXPECT_FALSE(compare("", article()).value().shingle_simhash_distance);
}

TEST(Compare, NamesTheByteThatIsNotUtf8) {
  const auto result = compare("fine", "雷\xFFx");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::corrupt);
  EXPECT_EQ(result.error().message, "text B isn't UTF-8 at byte 3; convert it first");
}

}  // namespace
}  // namespace leitong
