#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "report/marked_text.hpp"
#include "report/render_compare.hpp"

namespace leitong {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Pair {
  std::string a, b;

  [[nodiscard]] CompareResult result() const { return compare(a, b).value(); }
  [[nodiscard]] std::string text(const CompareTextOptions& options = {}) const {
    return render_compare_text(result(), {"left.txt", a}, {"right.txt", b}, options);
  }
  [[nodiscard]] std::string html() const {
    return render_compare_html(result(), {"left.txt", a}, {"right.txt", b});
  }
};

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

const Pair kMixed{"前言。敏捷的棕色狐狸跳过懒狗。 The harbour was silent.",
                  "THE HARBOUR WAS SILENT; 敏捷的棕色狐狸跳過懶狗！结尾"};
const Pair kHostile{"</script><b onclick='x(\"1\")'>敏捷的棕色狐狸跳过懒狗\u202E\x1b[31m &amp; \"quoted\"",
                    "敏捷的棕色狐狸跳过懒狗\x1b]0;title\x07<style>*{display:none}</style>\u2066"};

TEST(MarkedStretches, CoverTheTextWithoutGapOrOverlap) {
  const CompareResult result = kMixed.result();
  for (const auto& [side, size] :
       {std::pair(Side::a, kMixed.a.size()), std::pair(Side::b, kMixed.b.size())}) {
    std::size_t at = 0, marked = 0;
    for (const MarkedStretch& stretch : marked_stretches(size, result.passages, side)) {
      EXPECT_EQ(stretch.bytes.begin, at);
      EXPECT_GT(stretch.bytes.size(), 0u);
      at = stretch.bytes.end;
      marked += stretch.passage != 0;
    }
    EXPECT_EQ(at, size);
    EXPECT_EQ(marked, 2u);
  }
}

TEST(MarkedStretches, StopWhereTheShownPartEnds) {
  const auto stretches =
      marked_stretches(10, std::vector<Passage>{{{2, 6}, {0, 4}, 5}, {{8, 20}, {5, 17}, 5}}, Side::a);
  ASSERT_EQ(stretches.size(), 4u);
  EXPECT_EQ(stretches[3].bytes, (ByteRange{8, 10}));
  EXPECT_TRUE(marked_stretches(0, {}, Side::a).empty());
}

TEST(CompareText, NumbersPassagesInOrderOfA) {
  const std::string text = kMixed.text();
  EXPECT_THAT(text, HasSubstr("前言。[1: 敏捷的棕色狐狸跳过懒狗]。 [2: The harbour was silent].\n"));
  EXPECT_THAT(text, HasSubstr("[2: THE HARBOUR WAS SILENT]; [1: 敏捷的棕色狐狸跳過懶狗]！结尾\n"));
}

TEST(CompareText, HasNoEscapeSequenceUnlessRequested) {
  EXPECT_THAT(kMixed.text(), Not(HasSubstr("\x1b")));
  EXPECT_THAT(kHostile.text(), Not(HasSubstr("\x1b")));
  EXPECT_THAT(kMixed.text({.colour = true}), HasSubstr("\x1b[32m[1: 敏捷"));
}

TEST(CompareText, LetsNothingOfAHostileTextAct) {
  const std::string text = kHostile.text({.colour = true});
  EXPECT_THAT(text, Not(HasSubstr("\x1b[31m ")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b]")));
  EXPECT_THAT(text, Not(HasSubstr("\u202E")));
  EXPECT_THAT(text, HasSubstr("[U+202E]␛[31m"));
}

TEST(CompareText, LeavesOutTheMiddleOfLongStretchesAndCountsIt) {
  std::string tail;
  for (int i = 0; i < 1000; ++i) tail += i % 2 == 0 ? "雷" : "x";
  const Pair pair{"same words on both sides. " + tail, "same words on both sides."};
  const std::string text = pair.text({.whole = 100});
  EXPECT_THAT(text, HasSubstr("[1: same words on both sides]"));
  EXPECT_THAT(text, HasSubstr(" [.. 902 characters ..] "));
  EXPECT_LT(text.size(), 1500u);
}

TEST(CompareText, OfEmptyAndOfDifferentTexts) {
  EXPECT_THAT((Pair{"", ""}.text()), HasSubstr("The same text"));
  const std::string different = Pair{"完全不同", "entirely other"}.text();
  EXPECT_THAT(different, HasSubstr("Not similar"));
  EXPECT_THAT(different, HasSubstr("passages     0"));
}

TEST(CompareHtml, LinksEveryPassageToItsCounterpart) {
  const std::string page = kMixed.html();
  for (const char* part : {"id=\"a1\" href=\"#b1\"", "id=\"b1\" href=\"#a1\"", "id=\"a2\" href=\"#b2\"",
                           "id=\"b2\" href=\"#a2\""})
    EXPECT_EQ(count(page, part), 1u) << part;
  EXPECT_THAT(page, HasSubstr("<b>1</b>敏捷的棕色狐狸跳过懒狗</a>"));
}

TEST(CompareHtml, HoldsNoMarkupOfTheTexts) {
  const std::string page = kHostile.html();
  EXPECT_EQ(count(page, "<script"), 0u);
  EXPECT_EQ(count(page, "</script"), 0u);
  EXPECT_EQ(count(page, "<style"), 1u);
  EXPECT_EQ(count(page, "onclick='"), 0u);
  EXPECT_EQ(count(page, "\u202E"), 0u);
  EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;b onclick=&#39;x(&quot;1&quot;)&#39;&gt;"));
}

TEST(CompareHtml, EscapesNames) {
  const Pair pair{"a", "b"};
  const std::string page =
      render_compare_html(pair.result(), {"<img src=x>.txt", pair.a}, {"\"&\xFF", pair.b});
  EXPECT_THAT(page, HasSubstr("&lt;img src=x&gt;.txt"));
  EXPECT_THAT(page, HasSubstr("&quot;&amp;\uFFFD"));
}

TEST(CompareHtml, AllowsNothingButItsStyle) {
  const std::string page = kMixed.html();
  EXPECT_THAT(
      page,
      HasSubstr(
          "content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\""));
  EXPECT_EQ(count(page, "http:"), 0u);
  EXPECT_EQ(count(page, "https:"), 0u);
  EXPECT_EQ(count(page, "src="), 0u);
}

TEST(CompareHtml, CountsWhatItDoesNotShow) {
  std::string long_text;
  while (long_text.size() <= kShownBytes + 1000) long_text += "雷同";
  const Pair pair{long_text, "short"};
  const std::string page = pair.html();
  EXPECT_THAT(page, HasSubstr(" bytes aren't shown"));
  EXPECT_LT(page.size(), kShownBytes + 20000);
  EXPECT_EQ(count(page, "\uFFFD"), 0u) << "the cut splits no character";
}

TEST(CompareJson, HoldsMeasuresAndByteRanges) {
  const CompareResult result = kMixed.result();
  const auto object =
      nlohmann::json::parse(render_compare_json(result, {"a\xFF", kMixed.a}, {"b", kMixed.b}));
  EXPECT_EQ(object["jaccard"], result.jaccard);
  EXPECT_EQ(object["a"]["units"], result.a.units);
  ASSERT_EQ(object["passages"].size(), 2u);
  const auto range = object["passages"][0]["b"];
  EXPECT_EQ(kMixed.b.substr(range[0], range[1].get<std::size_t>() - range[0].get<std::size_t>()),
            "敏捷的棕色狐狸跳過懶狗");
}

TEST(CompareJson, SaysWhatWasNotComputed) {
  const CompareResult result = compare("abcdef", "abcd", {.edit_cells = 1}).value();
  const auto object = nlohmann::json::parse(render_compare_json(result, {"a", "abcdef"}, {"b", "abcd"}));
  EXPECT_TRUE(object["edit"].is_null());
  EXPECT_EQ(object["similar"], false);
  EXPECT_TRUE(object["similar_by"].is_null());
}

TEST(CompareText, SaysOneOfOneThing) {
  const std::string text = Pair{"好的", "好的"}.text();
  EXPECT_THAT(text, HasSubstr("(6 bytes, 2 units, 1 distinct shingle)"));
  EXPECT_THAT(text, HasSubstr("1 shingle is common"));
  EXPECT_THAT(text, HasSubstr("passages     1  of 2 and more units"));
}

}  // namespace
}  // namespace leitong
