// Texts in memory are trimmed, and searched for items of benchmarks, as files are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "leitong/decontaminate.hpp"
#include "leitong/trim.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Texts = std::vector<std::string_view>;

TEST(TrimTexts, ALineStaysWhereItStandsFirst) {
  const Texts texts = {"menu\nfirst", "second\nMENU", "third", "menu"};
  const auto trimmed = trim_texts(Context(), texts, {});
  ASSERT_TRUE(trimmed);
  ASSERT_EQ(trimmed->size(), 2u);
  const TrimmedText& changed = trimmed->front();
  EXPECT_EQ(changed.text, 1u);
  EXPECT_FALSE(changed.removed);
  EXPECT_EQ(without_cuts(texts[1], changed.cuts), "second\n");
  ASSERT_EQ(changed.cuts.size(), 1u);
  EXPECT_EQ(changed.cuts[0].documents, 3u);
  EXPECT_EQ(changed.cuts[0].kept_text, 0u);
  EXPECT_EQ(changed.cuts[0].kept_bytes, (ByteRange{0, 5}));
  EXPECT_EQ(trimmed->back().text, 3u);
  EXPECT_TRUE(trimmed->back().removed);
}

TEST(TrimTexts, RefusesWhatIsNoTextAndWhatCannotBeMeant) {
  EXPECT_EQ(trim_texts(Context(), Texts{"\xFF"}, {}).error().code, ErrorCode::corrupt);
  const auto refused = trim_texts(Context(), Texts{"text"}, {.border = Border::word});
  EXPECT_EQ(refused.error().setting, "border");
  EXPECT_THAT(trim_texts(Context(), Texts{}, {}).value(), IsEmpty());
}

TEST(FindLeaks, AQuestionWithItsAnswerIsALeakAndWithoutItADoubt) {
  const Texts texts = {"题：河南省的省会是哪一座城市？答：鄭州。", "河南省的省会是哪一座城市，他没有说。"};
  const std::vector<LeakItem> items = {{"河南省的省会是哪一座城市?", {"郑州"}}, {"为什么?"}};
  const auto leaks = find_leaks(Context(), texts, items, {});
  ASSERT_TRUE(leaks);
  EXPECT_THAT(leaks->too_short, ElementsAre(1u));
  ASSERT_EQ(leaks->hits.size(), 2u);
  EXPECT_TRUE(leaks->hits[0].leak && leaks->hits[0].equal);
  EXPECT_EQ(texts[0].substr(leaks->hits[0].passage.begin, leaks->hits[0].passage.size()),
            "河南省的省会是哪一座城市");
  EXPECT_FALSE(leaks->hits[1].leak);
  EXPECT_EQ(leaks->hits[1].why, "no answer stands near");
}

TEST(FindLeaks, RefusesABenchmarkOfWhichNothingCanBeLookedFor) {
  const std::vector<LeakItem> items = {{"为什么?"}};
  EXPECT_EQ(find_leaks(Context(), Texts{"为什么?"}, items, {}).error().setting, "against");
}

}  // namespace
}  // namespace leitong
