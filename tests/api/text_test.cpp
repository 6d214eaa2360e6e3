#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "leitong/html.hpp"
#include "leitong/normalise.hpp"
#include "leitong/segment.hpp"
#include "leitong/version.hpp"
#include "temp_path.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// More texts than fit one chunk of work, some of them empty.
std::vector<std::string> many_texts() {
  std::vector<std::string> texts;
  for (int i = 0; i < 5'000; ++i)
    texts.push_back(
        i % 7 == 0 ? "" : "渡船清晨六點開第" + std::to_string(i) + "班，ＦＥＲＲＹ " + std::to_string(i * i));
  return texts;
}

std::vector<std::string_view> views(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

TEST(HtmlText, IsWhatAReaderSees) {
  std::string page = "<html><title>Ferry</title><nav>Home | Maps</nav><script>x()</script><main>";
  std::string content;
  for (int pier = 10; pier < 30; ++pier) {
    page += "<p>From pier " + std::to_string(pier) + " it leaves at <b>six</b> &amp; at seven.</p>";
    content += "\nFrom pier " + std::to_string(pier) + " it leaves at six & at seven.";
  }
  page += "</main></html>";
  EXPECT_EQ(html_text(page).value(), "Ferry\nHome | Maps" + content);
  EXPECT_EQ(html_text(page, HtmlPart::main).value(), "Ferry" + content);
}

TEST(HtmlText, RefusesWhatIsNoPage) {
  const auto bytes = html_text("<p>\xff</p>");
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::corrupt);
  EXPECT_THAT(bytes.error().message, HasSubstr("not valid UTF-8"));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<div>";
  const auto nested = html_text(deep);
  ASSERT_FALSE(nested);
  EXPECT_EQ(nested.error().code, ErrorCode::corrupt);
}

TEST(NormaliseTexts, GivesOneNormalFormForEachTextForAnyNumberOfThreads) {
  const auto texts = many_texts();
  const Context one({.threads = 1}), four({.threads = 4});
  const auto normal = normalise(one, views(texts), {.simplify = Simplify::characters});
  ASSERT_TRUE(normal);
  ASSERT_EQ(normal->texts.size(), texts.size());
  EXPECT_EQ(normal->texts[0], "");
  EXPECT_EQ(normal->texts[4'999], "渡船清晨六点开第4999班,ferry 24990001");
  const auto again = normalise(four, views(texts), {.simplify = Simplify::characters});
  EXPECT_EQ(again->texts.bytes, normal->texts.bytes);
  EXPECT_EQ(again->texts.offsets, normal->texts.offsets);
}

TEST(NormaliseTexts, NamesTheFirstTextThatIsNoUtf8) {
  const Context context;
  auto texts = many_texts();
  texts[4'000] = texts[4'500] = "\xe4\xb8";
  const auto refused = normalise(context, views(texts));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::corrupt);
  EXPECT_EQ(refused.error().message, "text 4000 is not valid UTF-8");
}

TEST(NormaliseTexts, EndsWhenAskedTo) {
  Context context;
  context.request_stop();
  const auto texts = many_texts();
  const auto stopped = normalise(context, views(texts));
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
}

class SegmentTexts : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = Segmenter::open(context_);
    if (!opened && opened.error().code == ErrorCode::not_found) GTEST_SKIP() << opened.error().message;
    ASSERT_TRUE(opened) << opened.error().message;
    segmenter_.emplace(*std::move(opened));
  }
  const Context context_;
  std::optional<Segmenter> segmenter_;
};

TEST_F(SegmentTexts, EveryByteBelongsToOneWord) {
  const auto texts = many_texts();
  const auto words = segmenter_->segment(context_, views(texts));
  ASSERT_TRUE(words);
  ASSERT_EQ(words->size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::uint32_t end = 0;
    for (const Word word : (*words)[i]) {
      ASSERT_EQ(word.begin, end);
      end = word.end;
    }
    ASSERT_EQ(end, texts[i].size());
  }
}

TEST_F(SegmentTexts, CutsByModeAndNamesKeywords) {
  const std::vector<std::string_view> texts = {"我来到北京清华大学"};
  const auto listed = [&](SegmentMode mode) {
    std::vector<std::string> words;
    const auto cut = segmenter_->segment(context_, texts, {.mode = mode});
    for (const Word word : (*cut)[0]) words.emplace_back(word.in(texts[0]));
    return words;
  };
  EXPECT_THAT(listed(SegmentMode::mix), ElementsAre("我", "来到", "北京", "清华大学"));
  EXPECT_THAT(listed(SegmentMode::full),
              ElementsAre("我", "来到", "北京", "清华", "清华大学", "华大", "大学"));
  const auto keywords = segmenter_->keywords(context_, texts, 2);
  ASSERT_EQ((*keywords)[0].size(), 2u);
  EXPECT_EQ((*keywords)[0][0].word, "清华大学");
  EXPECT_EQ(segmenter_->tag("北京"), "ns");
  const auto refused = segmenter_->segment(context_, texts, {.mode = SegmentMode::full, .all_scripts = true});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
}

TEST_F(SegmentTexts, PhrasesWithSpacesAreOneWord) {
  const std::filesystem::path file = test::temp_path();
  std::ofstream(file) << "deep water\tterm\n";
  const auto opened = Segmenter::open(context_, {}, file);
  ASSERT_TRUE(opened) << opened.error().message;
  const std::vector<std::string_view> texts = {"in deep water"};
  const auto cut = opened->segment(context_, texts);
  ASSERT_TRUE(cut) << cut.error().message;
  std::vector<std::string> words;
  for (const Word word : (*cut)[0]) words.emplace_back(word.in(texts[0]));
  EXPECT_THAT(words, ElementsAre("in", " ", "deep water"));
  EXPECT_EQ(opened->tag("deep water"), "term");
  EXPECT_EQ(opened->tag("北京"), "ns");
  const auto keywords = opened->keywords(context_, texts, 5);
  ASSERT_FALSE((*keywords)[0].empty());
  EXPECT_EQ((*keywords)[0][0].word, "deep water");
  const auto refused = opened->segment(context_, texts, {.mode = SegmentMode::full});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  {
    std::ofstream broken(file, std::ios::binary);
    broken << "\xff\n";
  }
  const auto corrupt = Segmenter::open(context_, {}, file);
  ASSERT_FALSE(corrupt);
  EXPECT_EQ(corrupt.error().code, ErrorCode::corrupt) << corrupt.error().message;
  std::filesystem::remove(file);
  const auto missing = Segmenter::open(context_, {}, file);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found) << missing.error().message;
}

TEST(SegmentTextsWithoutDictionaries, SaysWhichFileIsMissing) {
  const Context context({.data_folder = "/nowhere"});
  const auto refused = Segmenter::open(context);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_found);
  EXPECT_THAT(refused.error().message, HasSubstr("/nowhere"));
}

TEST(LibraryInfo, NamesTheVersionOfTheHeaders) {
  const std::string expected = std::to_string(LEITONG_VERSION_MAJOR) + "." +
                               std::to_string(LEITONG_VERSION_MINOR) + "." +
                               std::to_string(LEITONG_VERSION_PATCH);
  EXPECT_EQ(library_info().version, expected);
  EXPECT_NE(library_info().fold_tables, 0u);
}

}  // namespace
}  // namespace leitong
